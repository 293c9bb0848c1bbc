package guard

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Hosts says which names a request may call this server by.
//
// A page of another site can make its own name resolve to 127.0.0.1 and then talk
// to this server as its own origin (DNS rebinding). Its requests carry that name
// in Host, so a name that is not ours is refused. The port does not matter: it is
// often another one at the near end of a tunnel.
type Hosts struct {
	// AnyAddress lets every IP address through, for servers that listen on all
	// addresses: which one a client uses is then not known, and an address can
	// not be rebound.
	AnyAddress bool
	// Names are the names and addresses besides the loopback ones, lower case.
	// One that starts with "." allows every name that ends with it, "*" any: only for servers that
	// tell nothing without a secret, which such a page does not know.
	Names []string
}

// Allowed reports whether a Host header is one of ours.
func (h Hosts) Allowed(host string) bool {
	name := strings.ToLower(hostname(host))
	if name == "" {
		return false
	}
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if ip, err := netip.ParseAddr(name); err == nil {
		if ip.Unmap().IsLoopback() || h.AnyAddress {
			return true
		}
	}
	for _, n := range h.Names {
		if n == "*" || name == n || strings.HasPrefix(n, ".") && strings.HasSuffix(name, n) {
			return true
		}
	}
	return false
}

// hostname cuts the port, the brackets of an IPv6 address and the root's dot off
// a Host header; "" if it is malformed.
func hostname(host string) string {
	if name, port, err := net.SplitHostPort(host); err == nil {
		for _, c := range port {
			if c < '0' || c > '9' {
				return ""
			}
		}
		host = name
	} else if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		host = host[1 : len(host)-1]
	} else if strings.ContainsAny(host, ":[]") {
		return ""
	}
	return strings.TrimSuffix(host, ".")
}

func (h Hosts) check(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.Allowed(r.Host) {
			http.Error(w, "This server does not answer to the name in the address.\n"+
				"If it is yours, start the server with --allowed-host NAME.\n", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
