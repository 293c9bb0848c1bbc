// Package storage is the browser's database as this program uses it. Every store
// may be missing: a private window, a full disk or a policy can refuse IndexedDB,
// and the program must work without.
//
// One rule holds for all that is written here: between the beginning and the end
// of a transaction nothing is awaited but the transaction's own requests, because
// the browser ends it at the first pause.
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

// Stores of the database.
const (
	Handles = "handles" // key: name; value: FileSystemDirectoryHandle
	files   = "files"   // key: origin and path; value: {layout, data}, see Entry
	ledger  = "ledger"  // the same keys; value: {bytes, used}, its size and when it was used last
)

const (
	name = "tensorbored-static"
	// version 1 had the same stores. What has one of its names and was made by somebody else,
	// or with other keys, is thrown away on the way to 2.
	version = 2
)

// DB is the open database.
type DB struct{ db *idb.Database }

// longest bounds the wait for anything that is asked of it.
const longest = time.Minute

// guard turns a panic of what stands between us and the browser into an error: it takes
// much for granted that a database which somebody else has made does not have.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the browser's database cannot be used: %v", r)
	}
}

// await waits for the end of a transaction.
func await(tx *idb.Transaction) error {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	return tx.Await(ctx)
}

// Open opens the database and makes the stores that it lacks: in the browser's own change
// of a database's version, which happens once, however many programs ask for it at the
// same time. (A database that one of them deletes is closed under the others.) It may
// take as long as another tab holds the database, a minute at most.
func Open() (*DB, error) {
	d, err := open()
	if err == nil && !d.ours() {
		err = errors.New("this browser's database is not ours")
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

var stores = []string{Handles, files, ledger}

func open() (_ *DB, err error) {
	defer guard(&err)
	switch v, err := bridge.Property(js.Global(), "indexedDB"); {
	case err != nil:
		return nil, fmt.Errorf("this browser refuses its database: %w", err)
	case !v.Truthy():
		return nil, errors.New("this browser has no database")
	}
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	req, err := idb.Global().Open(ctx, name, version, func(db *idb.Database, _, _ uint) error {
		have, err := db.ObjectStoreNames()
		if err != nil {
			return err
		}
		for _, want := range stores {
			if slices.Contains(have, want) {
				if err := db.DeleteObjectStore(want); err != nil {
					return err
				}
			}
			if _, err := db.CreateObjectStore(want, idb.ObjectStoreOptions{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("this browser refuses its database: %w", err)
	}
	db, err := req.Await(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || db == nil {
		return nil, fmt.Errorf("this browser refuses its database: %w", err)
	}
	return &DB{db}, nil
}

// ours reports whether the stores are there, and take keys beside their values.
func (d *DB) ours() bool {
	ok := false
	err := func() (err error) {
		defer guard(&err)
		_, all, err := d.begin(idb.TransactionReadOnly, stores...)
		if err != nil {
			return err
		}
		for _, s := range all {
			path, err := s.KeyPath()
			if err != nil || !path.IsNull() {
				return err
			}
		}
		ok = true
		return nil
	}()
	return err == nil && ok
}

// begin begins a transaction and returns it with the stores of these names.
func (d *DB) begin(mode idb.TransactionMode, names ...string) (*idb.Transaction, []*idb.ObjectStore, error) {
	tx, err := d.db.Transaction(mode, names[0], names[1:]...)
	if err != nil {
		return nil, nil, err
	}
	stores := make([]*idb.ObjectStore, len(names))
	for i, name := range names {
		if stores[i], err = tx.ObjectStore(name); err != nil {
			return nil, nil, err
		}
	}
	return tx, stores, nil
}

// Get returns the value of key; undefined when there is none.
func (d *DB) Get(store, key string) (v js.Value, err error) {
	defer guard(&err)
	_, stores, err := d.begin(idb.TransactionReadOnly, store)
	if err != nil {
		return js.Undefined(), err
	}
	req, err := stores[0].Get(js.ValueOf(key))
	if err != nil {
		return js.Undefined(), err
	}
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	return req.Await(ctx)
}

// Put sets the value of key.
func (d *DB) Put(store, key string, value js.Value) (err error) {
	defer guard(&err)
	tx, stores, err := d.begin(idb.TransactionReadWrite, store)
	if err != nil {
		return err
	}
	if _, err := stores[0].PutKey(js.ValueOf(key), value); err != nil {
		return err
	}
	return await(tx)
}
