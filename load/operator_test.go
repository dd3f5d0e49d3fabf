package load

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
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

	script, err := os.ReadFile("kubernetes/examples/payments.js")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "payments.js"), script, 0o600))
	env := environment(t, "kubernetes/examples/minimal.yaml")
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

// environment is that of a manifest's pods.
func environment(t *testing.T, path string) (env []string) {
	t.Helper()
	manifest, err := os.Open(path)
	require.NoError(t, err)
	defer manifest.Close()
	for decoder := yaml.NewDecoder(manifest); env == nil; {
		var object struct {
			Spec struct {
				Runner struct {
					Env []struct{ Name, Value string }
				}
			}
		}
		require.NoError(t, decoder.Decode(&object))
		for _, variable := range object.Spec.Runner.Env {
			env = append(env, variable.Name+"="+variable.Value)
		}
	}
	return env
}
