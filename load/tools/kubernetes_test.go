// Package tools holds what builds and checks the load module without being part of it,
// with a go.mod of its own: xk6, and the k6-operator, whose schema and code judge the
// manifests.
package tools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grafana/k6-operator/api/v1alpha1"
	"github.com/grafana/k6-operator/pkg/resources/jobs"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

const examples = "../kubernetes/examples/"

// Kubernetes drops what the schema does not know without a word: here it is an error.
func TestTheExamplesAreValidToTheOperator(t *testing.T) {
	t.Parallel()
	schema := operatorSchema(t)
	files, err := filepath.Glob(examples + "*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		run, _ := testRun(t, file)
		require.NoError(t, schema.Validate(decoded(t, run)), file)
		require.NoError(t, yaml.UnmarshalStrict(run, &v1alpha1.TestRun{}), file)
	}
}

func TestTheSchemaRefusesWhatTheOperatorDoesNotKnow(t *testing.T) {
	t.Parallel()
	schema := operatorSchema(t)
	run, _ := testRun(t, examples+"minimal.yaml")
	for _, spoilt := range [][2]string{
		{"parallelism: 1", "paralelism: 1"},
		{"parallelism: 1", "parallelism: many"},
		{"runner:", "runners:"},
		{"configMap:", "configmap:"},
		{"mountPath: /accounts", "mountpath: /accounts"},
		{"fieldPath:", "path:"},
		{"runAsUser:", "runAs:"},
	} {
		require.Contains(t, string(run), spoilt[0])
		wrong := bytes.Replace(run, []byte(spoilt[0]), []byte(spoilt[1]), 1)
		require.Error(t, schema.Validate(decoded(t, wrong)), "%s", spoilt[1])
	}
}

// The operator's own code makes the pods and Services of the examples: each listener is
// reached at its pod's host name, and each pod has a segment of its own.
func TestTheOperatorRunsTheExamples(t *testing.T) {
	t.Parallel()
	manifest, services := testRun(t, examples+"four-pods.yaml")
	var run v1alpha1.TestRun
	require.NoError(t, yaml.UnmarshalStrict(manifest, &run))
	require.Len(t, services, int(run.Spec.Parallelism))
	for i, service := range services {
		job, err := jobs.NewRunnerJob(&run, i+1, "")
		require.NoError(t, err)
		pod := job.Spec.Template.Spec
		require.Equal(t, service.Name, pod.Hostname)
		require.Equal(t, service.Namespace, job.Namespace)
		// Kubernetes labels the pods of a Job with its name.
		require.Equal(t, map[string]string{"job-name": job.Name}, service.Spec.Selector)
		require.Contains(t, pod.Containers[0].Ports, corev1.ContainerPort{Name: "webhooks", ContainerPort: service.Spec.Ports[0].Port})
		require.Equal(t, service.Spec.Ports[0].TargetPort.IntVal, service.Spec.Ports[0].Port)
		require.Contains(t, pod.Containers[0].Command, fmt.Sprintf("--execution-segment=%s", []string{"0:1/4", "1/4:2/4", "2/4:3/4", "3/4:1"}[i]))
		require.Subset(t, pod.Containers[0].Command, strings.Fields(run.Spec.Arguments))

		own, err := jobs.NewRunnerService(&run, i+1)
		require.NoError(t, err)
		require.NotEqual(t, own.Name, service.Name)
	}
}

// testRun splits a manifest into the TestRun and the Services.
func testRun(t *testing.T, file string) (run []byte, services []corev1.Service) {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	for documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content))); ; {
		document, err := documents.Read()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		switch kind := decoded(t, document).(map[string]any)["kind"]; kind {
		case "TestRun":
			run = document
		case "Service":
			var s corev1.Service
			require.NoError(t, yaml.UnmarshalStrict(document, &s), file)
			services = append(services, s)
		default:
			t.Fatalf("%s: unexpected kind %v", file, kind)
		}
	}
	require.NotEmpty(t, run, file)
	return run, services
}

// operatorSchema is the TestRun's, from the operator's module, with unknown fields
// refused where the operator does not ask for them.
func operatorSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/grafana/k6-operator").Output()
	require.NoError(t, err)
	content, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "config/crd/bases/k6.io_testruns.yaml"))
	require.NoError(t, err)
	var crd struct {
		Spec struct {
			Versions []struct {
				Name   string
				Schema struct {
					OpenAPIV3Schema any `json:"openAPIV3Schema"`
				}
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(content, &crd))
	require.Len(t, crd.Spec.Versions, 1)
	require.Equal(t, "v1alpha1", crd.Spec.Versions[0].Name)
	schema := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	closeObjects(schema, true)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("testrun.json", schema))
	compiled, err := compiler.Compile("testrun.json")
	require.NoError(t, err)
	return compiled
}

// closeObjects forbids unknown fields of every object that lists its fields. Metadata is
// the API server's: the schema says no more than that it is an object.
func closeObjects(node any, schema bool) {
	switch node := node.(type) {
	case map[string]any:
		_, lists := node["properties"].(map[string]any)
		if _, open := node["x-kubernetes-preserve-unknown-fields"]; schema && lists && !open {
			if _, more := node["additionalProperties"]; !more {
				node["additionalProperties"] = false
			}
		}
		for name, child := range node {
			// What lies in "properties" are names, whatever they are called.
			closeObjects(child, name != "properties" || !schema)
		}
	case []any:
		for _, child := range node {
			closeObjects(child, true)
		}
	}
}

func decoded(t *testing.T, document []byte) any {
	t.Helper()
	text, err := yaml.YAMLToJSON(document)
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	return value
}
