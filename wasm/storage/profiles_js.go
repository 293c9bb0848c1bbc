package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall/js"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Local is localStorage as a store of texts; its methods answer at once.
type Local struct{}

// Get returns the text of key, "" if there is none.
func (Local) Get(key string) (string, error) { return LocalGet(key) }

// Set keeps text under key.
func (Local) Set(key, text string) error { return LocalSet(key, text) }

// Remove takes key away.
func (Local) Remove(key string) error {
	s, err := local()
	if err != nil {
		return err
	}
	_, err = bridge.Try(func() js.Value { return s.Call("removeItem", key) })
	return err
}

// Keys lists all keys.
func (Local) Keys() ([]string, error) {
	s, err := local()
	if err != nil {
		return nil, err
	}
	var keys []string
	_, err = bridge.Try(func() js.Value {
		for i := range s.Get("length").Int() {
			if k := s.Call("key", i); k.Type() == js.TypeString {
				keys = append(keys, k.String())
			}
		}
		return js.Undefined()
	})
	return keys, err
}

const (
	// textsName is a database of its own: the other one is thrown away when it is
	// not as expected, since it holds what can be read again. This one is not.
	textsName    = "tensorbored-static.profiles"
	textsVersion = 1
	textsStore   = "texts" // key: as in localStorage; value: text
)

// Texts is a table of texts in the browser's database, for what localStorage has no room
// for. Its methods wait, so they must be called on a goroutine. It is opened at the first
// use; the zero value is ready.
type Texts struct {
	db  *idb.Database
	err error
}

// patience bounds the wait for the texts: another tab can hold their database.
const patience = 5 * time.Second

func (t *Texts) open() (_ *idb.Database, err error) {
	if t.db != nil || t.err != nil {
		return t.db, t.err
	}
	defer func() { t.err = err }()
	defer guard(&err)
	if v := bridge.Offered("indexedDB"); !v.Truthy() {
		return nil, errors.New("this browser has no database")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req, err := idb.Global().Open(ctx, textsName, textsVersion, func(db *idb.Database, _, _ uint) error {
		have, err := db.ObjectStoreNames()
		if err == nil && !slices.Contains(have, textsStore) {
			_, err = db.CreateObjectStore(textsStore, idb.ObjectStoreOptions{})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	db, err := req.Await(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && db == nil {
		err = errors.New("no answer")
	}
	if err != nil {
		return nil, fmt.Errorf("this browser refuses its database: %w", err)
	}
	t.db = db
	return db, nil
}

// made reports whether the database is there, or may be, without making it: whoever only reads
// has nothing to read where it is not. Chromium (156) answers nobody any more, until it is
// started anew, who asks for a database that a document was about to make when it was left.
func (t *Texts) made() bool {
	if t.db != nil || t.err != nil {
		return true
	}
	there := make(chan bool, 1)
	go func() { there <- listed(textsName) }()
	select {
	case is := <-there:
		return is
	case <-time.After(patience):
		return true // open says what is wrong
	}
}

// listed reports whether the browser has a database of that name, or does not tell.
func listed(name string) (is bool) {
	is = true
	defer guard(new(error))
	v := bridge.Offered("indexedDB")
	if !v.Truthy() || kind(v.Get("databases")) != js.TypeFunction {
		return is
	}
	all, err := bridge.AwaitCall(v, "databases")
	if err != nil || !object(all) {
		return is
	}
	for i := range all.Length() {
		if e := all.Index(i).Get("name"); kind(e) == js.TypeString && e.String() == name {
			return is
		}
	}
	return false
}

// do runs one request in a transaction of its own and waits for its end.
func (t *Texts) do(mode idb.TransactionMode, ask func(*idb.ObjectStore) (*idb.Request, error)) (v js.Value, err error) {
	db, err := t.open()
	if err != nil {
		return js.Undefined(), err
	}
	defer guard(&err)
	tx, err := db.Transaction(mode, textsStore)
	if err != nil {
		return js.Undefined(), err
	}
	store, err := tx.ObjectStore(textsStore)
	if err != nil {
		return js.Undefined(), err
	}
	var req *idb.Request
	if req, err = ask(store); err != nil {
		return js.Undefined(), err
	}
	if err := await(tx); err != nil {
		return js.Undefined(), err
	}
	if req == nil {
		return js.Undefined(), nil
	}
	return req.Result()
}

// Get returns the text of key, "" if there is none.
func (t *Texts) Get(key string) (string, error) {
	if !t.made() {
		return "", nil
	}
	v, err := t.do(idb.TransactionReadOnly, func(s *idb.ObjectStore) (*idb.Request, error) { return s.Get(js.ValueOf(key)) })
	if err != nil || kind(v) != js.TypeString {
		return "", err
	}
	return v.String(), nil
}

// Set keeps text under key.
func (t *Texts) Set(key, text string) error {
	_, err := t.do(idb.TransactionReadWrite, func(s *idb.ObjectStore) (*idb.Request, error) {
		_, err := s.PutKey(js.ValueOf(key), js.ValueOf(text))
		return nil, err
	})
	return err
}

// Remove takes key away.
func (t *Texts) Remove(key string) error {
	if !t.made() {
		return nil
	}
	_, err := t.do(idb.TransactionReadWrite, func(s *idb.ObjectStore) (*idb.Request, error) {
		_, err := s.Delete(js.ValueOf(key))
		return nil, err
	})
	return err
}

// Keys lists all keys.
func (t *Texts) Keys() ([]string, error) {
	if !t.made() {
		return nil, nil
	}
	v, err := t.do(idb.TransactionReadOnly, func(s *idb.ObjectStore) (*idb.Request, error) {
		all, err := s.GetAllKeys()
		if err != nil {
			return nil, err
		}
		return all.Request, nil
	})
	if err != nil || !object(v) {
		return nil, err
	}
	var keys []string
	for i := range v.Get("length").Int() {
		if k := v.Index(i); kind(k) == js.TypeString {
			keys = append(keys, k.String())
		}
	}
	return keys, nil
}
