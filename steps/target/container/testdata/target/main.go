// Command target is the smallest thing that the tests can run in a container: it serves
// on 8080, or fails to, as its argument says.
package main

import (
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	fmt.Println("started with password=" + os.Getenv("DATABASE_PASSWORD"))
	switch os.Args[1] {
	case "ends":
		fmt.Fprintln(os.Stderr, "no database")
		os.Exit(3)
	case "sulks":
		http.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
		})
	case "serves":
		http.HandleFunc("/health", func(http.ResponseWriter, *http.Request) {})
		http.HandleFunc("/mounted", func(w http.ResponseWriter, r *http.Request) {
			http.ServeFile(w, r, "/mounted/file")
		})
		http.HandleFunc("/call", func(w http.ResponseWriter, r *http.Request) {
			answer, err := http.Get(r.FormValue("url"))
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			defer answer.Body.Close()
			w.WriteHeader(answer.StatusCode)
		})
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go func() {
		fmt.Println(http.ListenAndServe(":8080", nil))
		os.Exit(1)
	}()
	<-stop
	fmt.Println("asked to end")
}
