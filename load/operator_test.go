package load

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/pixcert/pixcert/load/gateway"
	"github.com/pixcert/pixcert/load/reftest"
)

// Before a run, the operator's initializer archives the script and inspects the archive, in the
// environment of the runners. If either fails, no pod starts.
func TestTheOperatorCanInspectTheExample(t *testing.T) {
	t.Parallel()
	target := reftest.Start(t)
	controls, err := gateway.NewControls(target.ControlURL, "")
	require.NoError(t, err)
	defer controls.Close()
	accounts, err := controls.MakeAccounts(t.Context(), 1)
	require.NoError(t, err)
	text, err := json.Marshal(accounts)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "accounts.json"), text, 0o600))

	script, env := example(t, "kubernetes/examples/minimal.yaml")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "payments.js"), []byte(script), 0o600))
	for i, variable := range env {
		env[i] = strings.Replace(variable, "=/accounts/", "="+dir+"/", 1)
	}
	archived := start(t, dir, env, program(t), "archive", "payments.js", "-O", "archive.tar").wait(t)
	require.Zero(t, archived.status, archived.stderr)
	inspected := start(t, dir, env, program(t), "inspect", "--execution-requirements", "archive.tar").wait(t)
	require.Zero(t, inspected.status, inspected.stderr)
	require.NotContains(t, archived.stderr+inspected.stderr, "level=error")
	require.True(t, json.Valid([]byte(archived.stdout+inspected.stdout)), "the operator reads what both print")
	require.Contains(t, inspected.stdout, "pix-arrival-rate")
}

// example is the script of a manifest and the environment of its pods.
func example(t *testing.T, path string) (script string, env []string) {
	t.Helper()
	manifest, err := os.Open(path)
	require.NoError(t, err)
	defer manifest.Close()
	for decoder := yaml.NewDecoder(manifest); script == "" || env == nil; {
		var object struct {
			Data map[string]string
			Spec struct {
				Runner struct {
					Env []struct{ Name, Value string }
				}
			}
		}
		require.NoError(t, decoder.Decode(&object))
		if text, ok := object.Data["payments.js"]; ok {
			script = text
		}
		for _, variable := range object.Spec.Runner.Env {
			env = append(env, variable.Name+"="+variable.Value)
		}
	}
	return script, env
}
