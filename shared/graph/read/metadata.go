package read

import (
	"math"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// runMetadata reads a RunMetadata: statistics of steps, and the graphs in it. TensorFlow 2 puts a
// traced function's graphs there, of which TensorBoard shows the one before optimization; of
// several functions it merges them, each under graph_1/, graph_2/, …
// (tensorboard/plugins/graph/graph_util.py). The optimized graph and the partitions are graphs of
// their own here.
func runMetadata(f *model.File, b []byte) {
	var pre, post, parts, direct []pb.Field
	lost := f.Losses.Total
	at := pb.Each(b, 0, func(x pb.Field) bool {
		switch {
		case x.Is(1):
			pb.Each(x.Body, x.Off, func(y pb.Field) bool {
				if y.Is(1) {
					deviceStats(f, y)
				}
				return true
			})
		case x.Is(3):
			direct = append(direct, x)
		case x.Is(4):
			pb.Each(x.Body, x.Off, func(y pb.Field) bool {
				switch {
				case y.Is(1):
					parts = append(parts, y)
				case y.Is(2):
					pre = append(pre, y)
				case y.Is(3):
					post = append(post, y)
				}
				return true
			})
		}
		return true
	})
	merged := func(name string, fields []pb.Field) {
		if len(fields) == 0 {
			return
		}
		var ps []part
		for i, x := range fields {
			p := part{body: x.Body, base: x.Off}
			if len(fields) > 1 {
				p.prefix = "graph_" + strconv.Itoa(i+1) + "/"
			}
			ps = append(ps, p)
		}
		if g := graphDef(f, b, ps, model.RunMetadata, name); len(g.Nodes) > 0 {
			f.Graphs = append(f.Graphs, g)
		}
	}
	merged("before optimization", pre)
	merged("after optimization", post)
	merged("partitions of functions", parts)
	merged("partitions", direct)
	if at != pb.Whole && f.Losses.Total == lost {
		torn(f, at, "a RunMetadata")
	}
}

// deviceStats reads a DeviceStepStats.
func deviceStats(f *model.File, x pb.Field) {
	device := ""
	pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		switch {
		case y.Is(1):
			device = string(y.Body)
		case y.Is(2) && !y.Torn:
			if s, ok := nodeStats(y); ok {
				s.Device = device
				f.Stats = append(f.Stats, s)
			} else {
				damaged(f, y.Start, "The statistics of a node")
			}
		}
		return true
	})
}

// nodeStats reads a NodeExecStats. Times are those that TensorBoard shows: from all_start to
// all_end; memory is the total of all allocators.
func nodeStats(x pb.Field) (model.Stats, bool) {
	var s model.Stats
	var nanos float64
	at := pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		switch {
		case y.Is(1):
			s.Name = nodeName(string(y.Body))
		case y.Int(2):
			s.Start = int64(y.V)
		case y.Int(5):
			s.Micros = float64(int64(y.V))
		case y.Int(16):
			nanos = float64(int64(y.V))
		case y.Is(6):
			pb.Each(y.Body, y.Off, func(z pb.Field) bool {
				if z.Int(2) {
					s.Bytes += max(0, int64(z.V))
				}
				return true
			})
		case y.Is(7):
			slot := 0
			pb.Each(y.Body, y.Off, func(z pb.Field) bool {
				if z.Int(1) {
					slot = int(int32(z.V))
				}
				if z.Is(3) {
					shape, bytes := tensorDescription(z)
					s.Output += bytes
					if slot >= 0 && slot < 64 {
						for len(s.Shapes) <= slot {
							s.Shapes = append(s.Shapes, "")
						}
						s.Shapes[slot] = shape
					}
				}
				return true
			})
		}
		return true
	})
	if s.Micros == 0 && nanos > 0 {
		s.Micros = nanos / 1000
	}
	if s.Micros < 0 || math.IsNaN(s.Micros) {
		s.Micros = 0
	}
	return s, at == pb.Whole && s.Name != ""
}

// nodeName leaves out what TensorFlow puts behind a node's name in statistics: "name:Op".
func nodeName(s string) string {
	if i := strings.IndexByte(s, ':'); i > 0 {
		return s[:i]
	}
	return s
}

func tensorDescription(x pb.Field) (shape string, bytes int64) {
	dtype, dims := uint64(0), "[]"
	pb.Each(x.Body, x.Off, func(y pb.Field) bool {
		switch {
		case y.Int(1):
			dtype = y.V
		case y.Is(2):
			dims = attr.Shape(y.Body)
		case y.Is(4):
			pb.Each(y.Body, y.Off, func(z pb.Field) bool {
				if z.Int(1) {
					bytes = max(0, int64(z.V))
				}
				return true
			})
		}
		return true
	})
	return attr.Type(dtype) + dims, bytes
}
