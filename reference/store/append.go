package store

import "strings"

// appendTable is a table whose rows are inserted and never read by the requests that insert them: they are
// gathered, and inserted many in a statement before the commit, at half the cost.
type appendTable struct {
	name    string
	columns string
}

var (
	entriesTable    = appendTable{"entries", "id, account_id, payment_id, kind, delta_available, delta_blocked, at"}
	deliveriesTable = appendTable{"deliveries", "id, account_id, payment_id, webhook_id, message_id, url, attempt, status, failure, at, took"}
)

// rowsPerStatement are the sizes of statements, so that few are prepared.
var rowsPerStatement = [...]int{32, 8, 1}

// insert is the statement for a number of rows.
func (a appendTable) insert(rows int) string {
	var s strings.Builder
	s.WriteString(`INSERT INTO ` + a.name + ` (` + a.columns + `) VALUES `)
	width := strings.Count(a.columns, ",") + 1
	for row := range rows {
		if row > 0 {
			s.WriteString(", ")
		}
		s.WriteString("(" + places(1+row*width, width) + ")")
	}
	return s.String()
}

// inserts are the statements of appendTable.insert by table and number of rows.
var inserts = func() map[appendTable]map[int]string {
	all := map[appendTable]map[int]string{}
	for _, table := range []appendTable{entriesTable, deliveriesTable} {
		all[table] = map[int]string{}
		for _, rows := range rowsPerStatement {
			all[table][rows] = table.insert(rows)
		}
	}
	return all
}()

// append adds a row with the values of the table's columns.
func (t *tx) append(table appendTable, values ...any) {
	t.cache.appended[table] = append(t.cache.appended[table], values...)
	t.changed = true
}

func (t *tx) flushAppended() error {
	for table, values := range t.cache.appended {
		width := strings.Count(table.columns, ",") + 1
		for _, rows := range rowsPerStatement {
			for ; len(values) >= rows*width; values = values[rows*width:] {
				if err := t.conn.run(inserts[table][rows], values[:rows*width]...); err != nil {
					return err
				}
			}
		}
		t.cache.appended[table] = t.cache.appended[table][:0]
	}
	return nil
}
