package store

import (
	"context"
	"database/sql"
)

// Tampering makes a store wrong on purpose, where a fault of storage cannot be seen from
// outside: package mutants plants its faults here. The zero value tampers with nothing.
type Tampering struct {
	Rewrite  func(query string) string // changes each statement before it is prepared; nil: none
	Triggers string                    // SQL that runs once the tables exist
}

func (t Tampering) any() bool { return t.Rewrite != nil || t.Triggers != "" }

// over is prepare with rewritten statements.
func (t Tampering) over(prepare prepare) prepare {
	if t.Rewrite == nil {
		return prepare
	}
	return func(ctx context.Context, query string) (*sql.Stmt, error) { return prepare(ctx, t.Rewrite(query)) }
}
