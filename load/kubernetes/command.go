package kubernetes

import (
	"path/filepath"

	"github.com/spf13/cobra"
)

// Command is "manifest": it writes a run's manifest to its output.
func Command() *cobra.Command {
	var r Run
	c := &cobra.Command{
		Use:   "manifest SCRIPT",
		Short: "Write what a run on several pods needs, for the k6-operator",
		Long: "Write what a run on several pods needs, as YAML: a TestRun of the k6-operator, the script\n" +
			"with the files beside it that it imports, and a Service for the webhook listener of each\n" +
			"pod. The gateway's accounts are split over the pods.",
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
	f.StringVar(&r.ID, "run", "", "run `ID`, new for each run: it is part of every payment's external id")
	f.StringVar(&r.URL, "url", "", "the gateway's `URL`")
	f.StringVar(&r.Image, "image", "", "`IMAGE` of k6 with the extension")
	f.IntVar(&r.Instances, "instances", 1, "how many pods")
	f.StringVar(&r.Name, "name", "pix-load", "`NAME` of the TestRun; the other objects' names begin with it")
	f.StringVar(&r.Namespace, "namespace", "default", "`NAMESPACE` of all objects")
	f.StringVar(&r.AccountsSecret, "accounts-secret", "pix-accounts", "`SECRET` whose key "+accountsFile+" lists the accounts' credentials")
	f.StringVar(&r.ResultsClaim, "results", "", "`CLAIM` of the volume for results, in folders RUN/NAME-INDEX; without it they are lost with the pods")
	f.IntVar(&r.Port, "port", 8443, "`PORT` of the webhook listeners")
	f.StringVar(&r.ServiceType, "service-type", "ClusterIP", "`TYPE` of the listeners' Services: ClusterIP, NodePort, LoadBalancer")
	f.StringVar(&r.SinkURL, "sink-url", "", "`URL` that the gateway calls, {host} in it is NAME-INDEX (default: the Service within the cluster)")
	f.StringVar(&r.SinkSecret, "sink-secret", "", "`SECRET` of type kubernetes.io/tls for the listeners (default: self-signed)")
	f.StringToStringVar(&r.Env, "env", nil, "more of the script's environment, as `NAME=VALUE`")
	f.StringVar(&r.CPU, "cpu", "2", "`QUANTITY` of processors of a pod")
	f.StringVar(&r.Memory, "memory", "1Gi", "`QUANTITY` of memory of a pod")
	f.BoolVar(&r.Separate, "separate", false, "each pod on a node of its own")
	f.BoolVar(&r.Cleanup, "cleanup", false, "remove the jobs, and their logs, once all have ended")
	f.StringArrayVar(&r.Arguments, "argument", nil, "an `ARGUMENT` of k6 run, without spaces; may be repeated")
	return c
}
