package kubernetes

import (
	"path/filepath"

	"github.com/spf13/cobra"
)

// Command is "manifest": it writes a run's manifest to standard output.
func Command() *cobra.Command {
	var r Run
	c := &cobra.Command{
		Use:   "manifest SCRIPT",
		Short: "Write the k6-operator manifest for a run on several pods",
		Long: "Write the k6-operator manifest for a run on several pods, as YAML: a TestRun, a ConfigMap\n" +
			"with the script and the local files that it imports, and a Service for the webhook\n" +
			"listener of each pod. The gateway's accounts are divided among the pods.",
		Example: "  k6 x pix manifest cash-out.js --run monday-1 --instances 4 --image registry.example/k6-pix:1 \\\n" +
			"    --url https://gateway.example --results pix-results | kubectl apply -f -",
		Args:          cobra.ExactArgs(1),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(c *cobra.Command, args []string) error {
			files, err := collect(args[0])
			if err != nil {
				return err
			}
			r.Script, r.Files = filepath.Base(args[0]), files
			manifest, err := r.Manifest()
			if err != nil {
				return err
			}
			_, err = c.OutOrStdout().Write(manifest)
			return err
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&r.ID, "run", "", "run `ID`, unique for each run: it is part of every external id")
	f.StringVar(&r.URL, "url", "", "the gateway's `URL`")
	f.StringVar(&r.Image, "image", "", "`IMAGE` of k6 with the extension")
	f.IntVar(&r.Instances, "instances", 1, "number of pods")
	f.StringVar(&r.Name, "name", "pix-load", "`NAME` of the TestRun, and prefix of the other objects' names")
	f.StringVar(&r.Namespace, "namespace", "default", "`NAMESPACE` of all objects")
	f.StringVar(&r.AccountsSecret, "accounts-secret", "pix-accounts", "`SECRET` with the accounts' credentials in the key "+accountsFile)
	f.StringVar(&r.ResultsClaim, "results", "", "`CLAIM` of the volume for results, in folders RUN/NAME-INDEX (default: results are lost with the pods)")
	f.IntVar(&r.Port, "port", 8443, "`PORT` of the webhook listeners")
	f.StringVar(&r.ServiceType, "service-type", "ClusterIP", "`TYPE` of the listeners' Services: ClusterIP, NodePort, LoadBalancer")
	f.StringVar(&r.SinkURL, "sink-url", "", "webhook `URL` that the gateway calls; {host} stands for NAME-INDEX (default: the Service in the cluster)")
	f.StringVar(&r.SinkSecret, "sink-secret", "", "`SECRET` of type kubernetes.io/tls for the listeners (default: self-signed)")
	f.StringToStringVar(&r.Env, "env", nil, "additional environment variable, as `NAME=VALUE`")
	f.StringVar(&r.CPU, "cpu", "2", "CPU request and limit of a pod, as a `QUANTITY`")
	f.StringVar(&r.Memory, "memory", "1Gi", "memory request and limit of a pod, as a `QUANTITY`")
	f.BoolVar(&r.Separate, "separate", false, "run each pod on a different node")
	f.BoolVar(&r.Cleanup, "cleanup", false, "remove the jobs and their logs when all have ended")
	f.StringArrayVar(&r.Arguments, "argument", nil, "additional `ARGUMENT` of k6 run, without spaces; can be repeated")
	return c
}
