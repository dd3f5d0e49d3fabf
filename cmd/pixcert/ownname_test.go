package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Commands in printed text can be pasted into the shell that called pixcert.
func TestPrintedCommandsHaveTheNameThatTheShellUses(t *testing.T) {
	t.Parallel()
	called := func(own string, args ...string) (stdout, stderr string) {
		var out, err bytes.Buffer
		execute(t.Context(), own, args, &out, &err)
		return out.String(), err.String()
	}
	out, _ := called("./pixcert", "rules", "night", "limit")
	require.Contains(t, out, "Details: ./pixcert explain cash-out.own-limits\n")
	_, err := called("./my tools/pixcert", "rules", "nothing-like-this")
	require.Contains(t, err, "or run './my tools/pixcert' rules to list all")
	require.Contains(t, err, "pixcert: no rule contains")
	out, _ = called("./pixcert", "init", "--url", "https://sandbox.example", "--yes", "--directory", t.TempDir())
	require.Contains(t, out, "\n./pixcert certify ")
	out, _ = called("./pixcert", "certify", "--reference", "--rule", "token.lifetime", "--report", t.TempDir())
	require.NotContains(t, out, " pixcert certify")
	out, _ = called("./pixcert", "man")
	require.NotContains(t, out, "./pixcert", "a manual is for everybody")
}

func TestOnlyCommandsAreRenamed(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"run pixcert plan":         "run ./pixcert plan",
		"run `pixcert serve` or":   "run `./pixcert serve` or",
		"pixcert certify x":        "./pixcert certify x",
		"pixcert stopped reading":  "pixcert stopped reading",
		"/opt/bin/pixcert certify": "/opt/bin/pixcert certify",
		"./pixcert certify":        "./pixcert certify",
		"using pixcert.yaml":       "using pixcert.yaml",
		"pixcert: serve":           "pixcert: serve",
		"pixcert planned":          "pixcert planned",
	} {
		var out bytes.Buffer
		n, err := commandWriter{&out, "./pixcert"}.Write([]byte(printed))
		require.NoError(t, err)
		require.Equal(t, len(printed), n)
		require.Equal(t, want, out.String())
	}
}

// The name without a directory is enough only for the program that PATH leads to. Not parallel: PATH is the process's.
func TestTheOwnNameIsShortInPath(t *testing.T) {
	require.Equal(t, os.Args[0], ownName(), "PATH has none, or another one")
	dir := t.TempDir()
	running, err := filepath.Abs(os.Args[0])
	require.NoError(t, err)
	require.NoError(t, os.Symlink(running, filepath.Join(dir, "pixcert")))
	t.Setenv("PATH", dir)
	require.Equal(t, "pixcert", ownName())
}
