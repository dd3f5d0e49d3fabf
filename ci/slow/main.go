// Command slow is a proxy that makes a correct gateway slow, limited or interrupted, to see that a run against it
// conforms: go run ./ci/slow --upstream http://127.0.0.1:8080 --hold 30ms.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/pixcert/pixcert/ci/hostile"
)

func main() {
	var config hostile.SlowConfig
	flag.StringVar(&config.Upstream, "upstream", "http://127.0.0.1:8080", "base URL of the gateway")
	flag.DurationVar(&config.Hold, "hold", 0, "time that each request takes, one at a time")
	flag.Float64Var(&config.PerSecond, "per-second", 0, "requests a second, above which it returns 429")
	freeze := flag.Duration("freeze", 0, "how long it freezes, once")
	restart := flag.Duration("restart", 0, "how long it is down, twice")
	after := flag.Int64("after", 3000, "requests before it freezes or restarts, and between restarts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx, config, *freeze, *restart, *after); err != nil {
		fmt.Fprintln(os.Stderr, "slow:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, config hostile.SlowConfig, freeze, restart time.Duration, after int64) error {
	proxy, err := hostile.ListenSlow(config)
	if err != nil {
		return err
	}
	defer proxy.Close()
	fmt.Println(proxy.URL)
	ticks := time.NewTicker(10 * time.Millisecond)
	defer ticks.Stop()
	for interrupted := int64(0); ; {
		select {
		case <-ctx.Done():
			all, refused := proxy.Requests()
			fmt.Printf("%d requests, %d refused\n", all, refused)
			return nil
		case <-ticks.C:
		}
		all, _ := proxy.Requests()
		switch {
		case all < (interrupted+1)*after:
			continue
		case freeze > 0 && interrupted == 0:
			proxy.Freeze(freeze)
		case restart > 0 && interrupted < 2:
			if err := proxy.Restart(restart); err != nil {
				return err
			}
		}
		interrupted++
	}
}
