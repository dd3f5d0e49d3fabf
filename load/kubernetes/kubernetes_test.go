package kubernetes

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

var update = flag.Bool("update", false, "write the examples anew")

// examples are what the command writes. Package tools holds them against the operator's
// own schema.
var examples = map[string][]string{
	"minimal.yaml": {
		"--run=monday-1", "--url=https://gateway.example", "--image=registry.example/k6-pix:1",
	},
	"four-pods.yaml": {
		"--run=monday-2", "--url=https://gateway.example", "--image=registry.example/k6-pix:1", "--instances=4",
		"--name=payday", "--namespace=load", "--accounts-secret=integrators", "--results=pix-results", "--port=9443",
		"--service-type=LoadBalancer", "--sink-url=https://{host}.hooks.example:9443", "--sink-secret=hooks-tls",
		"--env=PIX_RATE=3626", "--env=PIX_SEED=7", "--cpu=1500m", "--memory=2Gi", "--separate", "--cleanup",
		"--argument=--out", "--argument=experimental-prometheus-rw",
	},
}

func TestTheExamplesAreWhatTheCommandWrites(t *testing.T) {
	t.Parallel()
	for name, args := range examples {
		written, err := manifest(append(args, "examples/payments.js")...)
		require.NoError(t, err)
		path := filepath.Join("examples", name)
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(written), 0o644))
		}
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(kept), written, "run: go test ./kubernetes -update")
	}
	found, err := filepath.Glob("examples/*.yaml")
	require.NoError(t, err)
	require.Len(t, found, len(examples))
}

func TestAManifestIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	first, err := manifest(append(examples["four-pods.yaml"], "examples/payments.js")...)
	require.NoError(t, err)
	for range 20 {
		again, err := manifest(append(examples["four-pods.yaml"], "examples/payments.js")...)
		require.NoError(t, err)
		require.Equal(t, first, again)
	}
}

// Each pod has a Service under its own host name, and tells the gateway that name.
func TestEachPodHasItsOwnListener(t *testing.T) {
	t.Parallel()
	written, err := manifest(append(examples["minimal.yaml"], "--instances=3", "--name=n", "--namespace=s", "examples/payments.js")...)
	require.NoError(t, err)
	var hosts []string
	for _, o := range objects(t, written) {
		switch o["kind"] {
		case "Service":
			name := o["metadata"].(object)["name"].(string)
			hosts = append(hosts, name)
			require.Equal(t, object{"job-name": name}, o["spec"].(object)["selector"])
		case "TestRun":
			runner := o["spec"].(object)["runner"].(object)
			require.Contains(t, runner["env"], object{"name": "PIX_SINK_URL", "value": "https://$(PIX_HOST).s.svc:8443"})
		}
	}
	require.Equal(t, []string{"n-1", "n-2", "n-3"}, hosts)
}

func TestAScriptBringsWhatItImports(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	write("main.js", "import http from \"k6/http\";\nimport { a } from './a.js'\nimport {\n  b,\n} from \"./b.js\";\nexport { c } from './a.js';\n// import './none.js'\n")
	write("a.js", "import './b.js';\n")
	write("b.js", "export const b = \"./text.js\";\nimport './main.js'\n")
	files, err := collect(filepath.Join(folder, "main.js"))
	require.NoError(t, err)
	require.Equal(t, []string{"a.js", "b.js", "main.js"}, sorted(files))

	write("far.js", `import { a } from "../a.js";`)
	_, err = collect(filepath.Join(folder, "far.js"))
	require.ErrorContains(t, err, "a ConfigMap has no folders, got ../a.js in far.js")
	write("lost.js", `import { a } from "./lost-too.js";`)
	_, err = collect(filepath.Join(folder, "lost.js"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAMistakeIsNamedByItsFlag(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"name: expected":            {"--name=Pix"},
		"name: expected lower-case": {"--name=" + strings.Repeat("n", 60)},
		"namespace:":                {"--namespace=a.b"},
		"run: expected 1 to 63":     {"--run=a/b"},
		"instances:":                {"--instances=0"},
		"image:":                    {"--image="},
		"url:":                      {"--url=gateway.example"},
		"accounts-secret:":          {"--accounts-secret="},
		"port:":                     {"--port=6565"},
		"service-type:":             {"--service-type=Ingress"},
		"sink-url:":                 {"--sink-url=https://hooks.example", "--instances=2"},
		"cpu:":                      {"--cpu=lots"},
		"memory:":                   {"--memory=1 Gi"},
		"arguments:":                {"--argument=a b"},
		"env:":                      {"--env=A-B=1"},
	} {
		_, err := manifest(append(append(examples["minimal.yaml"], args...), "examples/payments.js")...)
		require.ErrorContains(t, err, want)
	}
}

func manifest(args ...string) (string, error) {
	var out bytes.Buffer
	c := Command()
	c.SetOut(&out)
	c.SetArgs(args)
	err := c.Execute()
	return out.String(), err
}

func objects(t *testing.T, text string) []object {
	t.Helper()
	var all []object
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var o object
		if decoder.Decode(&o) != nil {
			return all
		}
		all = append(all, o)
	}
}
