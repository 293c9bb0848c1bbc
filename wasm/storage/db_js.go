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
	"syscall/js"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Stores of the database.
const (
	Handles = "handles" // key: name; value: FileSystemDirectoryHandle
	files   = "files"   // key: origin and path; value: what was read of a file
	ledger  = "ledger"  // the same keys; value: its size and when it was used last
)

const (
	name    = "tensorbored-static"
	version = 1
	// patience bounds the wait for the database: another tab can hold it.
	patience = 5 * time.Second
)

// DB is the open database.
type DB struct{ db *idb.Database }

// Open opens the database and makes the stores that it lacks.
func Open() (_ *DB, err error) {
	// The package that asks the browser takes it for granted that there is something
	// to ask, and panics where there is not.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("this browser has no database: %v", r)
		}
	}()
	switch v, err := bridge.Property(js.Global(), "indexedDB"); {
	case err != nil:
		return nil, fmt.Errorf("this browser refuses its database: %w", err)
	case !v.Truthy():
		return nil, errors.New("this browser has no database")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req, err := idb.Global().Open(ctx, name, version, func(db *idb.Database, _, _ uint) error {
		have, err := db.ObjectStoreNames()
		if err != nil {
			return err
		}
		for _, want := range []string{Handles, files, ledger} {
			found := false
			for _, h := range have {
				found = found || h == want
			}
			if !found {
				if _, err := db.CreateObjectStore(want, idb.ObjectStoreOptions{}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("this browser refuses its database: %w", err)
	}
	db, err := req.Await(ctx)
	if err != nil {
		return nil, fmt.Errorf("this browser refuses its database: %w", err)
	}
	return &DB{db}, nil
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
func (d *DB) Get(store, key string) (js.Value, error) {
	_, stores, err := d.begin(idb.TransactionReadOnly, store)
	if err != nil {
		return js.Undefined(), err
	}
	req, err := stores[0].Get(js.ValueOf(key))
	if err != nil {
		return js.Undefined(), err
	}
	return req.Await(context.Background())
}

// Put sets the value of key.
func (d *DB) Put(store, key string, value js.Value) error {
	tx, stores, err := d.begin(idb.TransactionReadWrite, store)
	if err != nil {
		return err
	}
	if _, err := stores[0].PutKey(js.ValueOf(key), value); err != nil {
		return err
	}
	return tx.Await(context.Background())
}
