// Package kubernetes writes the manifest of a load run on several pods: a TestRun of the
// k6-operator, a ConfigMap with the script, and for each pod a Service by which the gateway
// reaches its webhook listener.
package kubernetes

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// Run is a run on Instances pods. The operator creates one Job for each, NAME-1 to
// NAME-Instances, with its own execution segment. The segment also divides the accounts of
// the secret, so that no two pods share one.
type Run struct {
	Name      string // of the TestRun, and prefix of all other names
	Namespace string
	ID        string // run id: letters, digits, - and _; unique for each run against a gateway
	Instances int
	Image     string // k6 with the extension, and a shell for the operator's initializer

	Script string            // which of Files to run
	Files  map[string]string // contents by name, without folders

	URL            string            // of the gateway
	AccountsSecret string            // name of a Secret; its key accounts.json lists the credentials
	ResultsClaim   string            // name of a PersistentVolumeClaim; empty: results are lost with the pod
	SinkSecret     string            // name of a Secret of type kubernetes.io/tls; empty: self-signed
	Port           int               // of the webhook listeners
	ServiceType    string            // ClusterIP, NodePort or LoadBalancer
	SinkURL        string            // the webhook URL that the gateway calls; {host} stands for NAME-INDEX; empty: the Service in the cluster
	Env            map[string]string // additional environment variables
	CPU, Memory    string            // of a pod, both request and limit
	Separate       bool              // run each pod on a different node
	Cleanup        bool              // remove the jobs when all have ended
	Arguments      []string          // of k6 run
}

// object is a Kubernetes API object; its keys are written in alphabetical order.
type object = map[string]any

// Manifest is the run as YAML, deterministic: first the script, then the Services, then the
// TestRun.
func (r Run) Manifest() ([]byte, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	objects := []object{r.script()}
	for i := range r.Instances {
		objects = append(objects, r.service(fmt.Sprintf("%s-%d", r.Name, i+1)))
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	for _, o := range append(objects, r.testRun()) {
		if err := encoder.Encode(o); err != nil {
			return nil, fmt.Errorf("manifest of %s: %w", r.Name, err)
		}
	}
	return b.Bytes(), encoder.Close()
}

const (
	accountsFolder = "/accounts"
	accountsFile   = "accounts.json"
	resultsFolder  = "/results"
	sinkFolder     = "/sink"
)

// nobody is the numeric user id of the image, and the group id that owns the results.
const nobody = 65532

// hostLabel is the label that Kubernetes sets on the pods of a Job: the Job's name, which the
// operator also uses as the pod's host name.
const hostLabel = "job-name"

func (r Run) testRun() object {
	spec := object{
		"parallelism": r.Instances,
		"separate":    r.Separate,
		"script":      object{"configMap": object{"name": r.Name + "-script", "file": r.Script}},
		"ports":       []object{{"name": "webhooks", "containerPort": r.Port}},
		"runner": object{
			"image":           r.Image,
			"env":             r.environment(),
			"resources":       object{"requests": r.resources(), "limits": r.resources()},
			"securityContext": object{"runAsNonRoot": true, "runAsUser": nobody, "fsGroup": nobody},
			"volumes":         r.volumes(),
			"volumeMounts":    r.mounts(),
		},
	}
	if len(r.Arguments) > 0 {
		spec["arguments"] = strings.Join(r.Arguments, " ")
	}
	if r.Cleanup {
		spec["cleanup"] = "post"
	}
	return object{"apiVersion": "k6.io/v1alpha1", "kind": "TestRun", "metadata": r.metadata(r.Name), "spec": spec}
}

func (r Run) script() object {
	return object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": r.metadata(r.Name + "-script"), "data": r.Files}
}

// service exposes one pod's listener under the pod's host name: the operator's own Service
// exposes only k6's API.
func (r Run) service(host string) object {
	return object{
		"apiVersion": "v1", "kind": "Service", "metadata": r.metadata(host),
		"spec": object{
			"type":     r.ServiceType,
			"selector": object{hostLabel: host},
			"ports":    []object{{"name": "webhooks", "port": r.Port, "targetPort": r.Port, "protocol": "TCP"}},
			// Webhooks that arrive during the final look-ups count too.
			"publishNotReadyAddresses": true,
		},
	}
}

func (r Run) metadata(name string) object {
	return object{"name": name, "namespace": r.Namespace, "labels": object{"app.kubernetes.io/part-of": r.Name}}
}

func (r Run) resources() object { return object{"cpu": r.CPU, "memory": r.Memory} }

// environment is the environment variables of the script. Kubernetes expands a variable only
// in variables after it.
func (r Run) environment() []object {
	url := r.SinkURL
	if url == "" {
		url = fmt.Sprintf("https://{host}.%s.svc:%d", r.Namespace, r.Port)
	}
	env := []object{
		{"name": "PIX_HOST", "valueFrom": object{"fieldRef": object{"fieldPath": "metadata.labels['" + hostLabel + "']"}}},
		variable("PIX_RUN", r.ID),
		variable("PIX_URL", r.URL),
		variable("PIX_ACCOUNTS", accountsFolder+"/"+accountsFile),
		variable("PIX_REPORT", resultsFolder),
		variable("PIX_SINK_LISTEN", fmt.Sprintf("0.0.0.0:%d", r.Port)),
		variable("PIX_SINK_URL", strings.ReplaceAll(url, "{host}", "$(PIX_HOST)")),
		// The initializer runs k6 archive, in which a script sees the environment only with this.
		variable("K6_INCLUDE_SYSTEM_ENV_VARS", "true"),
	}
	if r.SinkSecret != "" {
		env = append(env, variable("PIX_SINK_CERT", sinkFolder+"/tls.crt"), variable("PIX_SINK_KEY", sinkFolder+"/tls.key"))
	}
	for _, name := range sorted(r.Env) {
		env = append(env, variable(name, r.Env[name]))
	}
	return env
}

func variable(name, value string) object { return object{"name": name, "value": value} }

func (r Run) volumes() []object {
	volumes := []object{{"name": "accounts", "secret": object{"secretName": r.AccountsSecret}}}
	if r.ResultsClaim != "" {
		volumes = append(volumes, object{"name": "results", "persistentVolumeClaim": object{"claimName": r.ResultsClaim}})
	} else {
		volumes = append(volumes, object{"name": "results", "emptyDir": object{}})
	}
	if r.SinkSecret != "" {
		volumes = append(volumes, object{"name": "sink", "secret": object{"secretName": r.SinkSecret}})
	}
	return volumes
}

func (r Run) mounts() []object {
	results := object{"name": "results", "mountPath": resultsFolder}
	if r.ResultsClaim != "" {
		results["subPathExpr"] = r.ID + "/$(PIX_HOST)"
	}
	mounts := []object{{"name": "accounts", "mountPath": accountsFolder, "readOnly": true}, results}
	if r.SinkSecret != "" {
		mounts = append(mounts, object{"name": "sink", "mountPath": sinkFolder, "readOnly": true})
	}
	return mounts
}

var (
	label    = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	runID    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$`)
	quantity = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(m|k|M|G|Ki|Mi|Gi)?$`)
	envName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// maxScript is Kubernetes' limit on the size of a ConfigMap, in bytes.
const maxScript = 1 << 20

func (r Run) validate() error {
	size := 0
	for _, content := range r.Files {
		size += len(content)
	}
	_, hasScript := r.Files[r.Script]
	switch {
	case !label.MatchString(r.Name) || len(fmt.Sprintf("%s-service-%d", r.Name, r.Instances)) > 63:
		return fmt.Errorf("name: expected lower-case letters, digits and dashes, so short that NAME-service-%d has at most 63 characters, got %q", r.Instances, r.Name)
	case !label.MatchString(r.Namespace) || len(r.Namespace) > 63:
		return fmt.Errorf("namespace: expected lower-case letters, digits and dashes, got %q", r.Namespace)
	case !runID.MatchString(r.ID):
		return fmt.Errorf("run: expected 1 to 63 letters, digits, - and _, unique for each run, got %q", r.ID)
	case r.Instances < 1:
		return fmt.Errorf("instances: expected at least 1, got %d", r.Instances)
	case r.Image == "":
		return fmt.Errorf("image: expected an image with k6 and the extension, got none: build one with load/kubernetes/Dockerfile")
	case !hasScript:
		return fmt.Errorf("script: expected one of the files, got %q", r.Script)
	case size > maxScript:
		return fmt.Errorf("script: expected at most %d bytes including its imports, the limit of a ConfigMap, got %d: add the script to the image instead", maxScript, size)
	case !strings.HasPrefix(r.URL, "http://") && !strings.HasPrefix(r.URL, "https://"):
		return fmt.Errorf("url: expected the gateway's URL, starting with http:// or https://, got %q", r.URL)
	case r.AccountsSecret == "":
		return fmt.Errorf("accounts-secret: expected the name of a Secret with the key %s, got none", accountsFile)
	case r.Port < 1024 || r.Port > 65535 || r.Port == 6565:
		return fmt.Errorf("port: expected a port from 1024 to 65535, except 6565, which k6 uses itself, got %d", r.Port)
	case r.ServiceType != "ClusterIP" && r.ServiceType != "NodePort" && r.ServiceType != "LoadBalancer":
		return fmt.Errorf("service-type: expected ClusterIP, NodePort or LoadBalancer, got %q", r.ServiceType)
	case r.SinkURL != "" && r.Instances > 1 && !strings.Contains(r.SinkURL, "{host}"):
		return fmt.Errorf("sink-url: expected a URL that contains {host}, to distinguish %d pods, got %q", r.Instances, r.SinkURL)
	case !quantity.MatchString(r.CPU):
		return fmt.Errorf("cpu: expected a quantity such as 2 or 500m, got %q", r.CPU)
	case !quantity.MatchString(r.Memory):
		return fmt.Errorf("memory: expected a quantity such as 1Gi, got %q", r.Memory)
	}
	for _, argument := range r.Arguments {
		if argument == "" || strings.ContainsAny(argument, " \t\n\"'`$\\;&|<>()") {
			return fmt.Errorf("arguments: expected words without spaces, quotes and shell characters, because the operator splits them and its initializer passes them to a shell, got %q", argument)
		}
	}
	for name := range r.Env {
		if !envName.MatchString(name) {
			return fmt.Errorf("env: expected NAME=VALUE with letters, digits and _ in NAME, got the name %q", name)
		}
	}
	return nil
}
