package container

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A container of an image FROM scratch, with one static program in it.
func TestContainer(t *testing.T) {
	lab := build(t)
	t.Run("serves", lab.serves)
	t.Run("sulks", lab.sulks)
	t.Run("ends", lab.ends)
	t.Run("is given up", lab.isGivenUp)
	t.Run("has no such image", lab.hasNoSuchImage)
	t.Run("has no such port", lab.hasNoSuchPort)
}

// lab is the image under test, with an engine to look at what is left of it.
type lab struct {
	engine *engine
	image  string
}

// imageRepository differs between processes that test beside each other on one engine:
// none of them counts, or removes, what is another's.
var imageRepository = fmt.Sprintf("pixcert-container-test-%08x", rand.Uint32())

func build(t *testing.T) *lab {
	t.Helper()
	e, err := connect(t.Context())
	if err != nil && os.Getenv("PIXCERT_REQUIRE_ALL") == "1" {
		require.NoError(t, err)
	} else if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	dir := t.TempDir()
	compile := exec.Command("go", "build", "-o", filepath.Join(dir, "target"), "./testdata/target")
	compile.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOFLAGS=-buildvcs=false")
	out, err := compile.CombinedOutput()
	require.NoError(t, err, "%s", out)
	dockerfile := "FROM scratch\nCOPY target /target\nEXPOSE 8080\nLABEL " + healthLabel + "=/health tested.as=" + imageRepository + "\nENTRYPOINT [\"/target\"]\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Dockerfile"), []byte(dockerfile), 0o600))
	image, err := e.BuildImage(t.Context(), &testcontainers.ContainerRequest{FromDockerfile: testcontainers.FromDockerfile{
		Context: dir, Repo: imageRepository,
	}})
	require.NoError(t, err)
	built, err := e.Client().ImageInspect(t.Context(), image)
	require.NoError(t, err)
	t.Cleanup(func() { // by its id, with every name that it was given
		_, err := e.Client().ImageRemove(context.Background(), built.ID, client.ImageRemoveOptions{Force: true, PruneChildren: true})
		assert.NoError(t, err)
	})
	return &lab{e, image}
}

// profile runs the image as command says, under a name that no other test uses.
func (l *lab) profile(t *testing.T, command string) target.Profile {
	t.Helper()
	name := imageRepository + ":" + strings.ReplaceAll(filepath.Base(t.Name()), "_", "-")
	_, err := l.engine.Client().ImageTag(t.Context(), client.ImageTagOptions{Source: l.image, Target: name})
	require.NoError(t, err)
	return target.Profile{Container: &target.Container{
		Image: name, Command: []string{command}, Env: map[string]string{"DATABASE_PASSWORD": "opensesame"},
	}}
}

// leavesNothing waits until no container remains of a profile's image: an engine may
// still be removing one.
func (l *lab) leavesNothing(t *testing.T, p target.Profile) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		found, err := l.engine.Client().ContainerList(context.Background(), client.ContainerListOptions{
			All: true, Filters: make(client.Filters).Add("label", Label+"="+p.Container.Image),
		})
		require.NoError(c, err)
		for _, left := range found.Items {
			assert.Fail(c, "a container is left behind", "%.12s: %s, %s", left.ID, left.State, left.Status)
		}
	}, 10*time.Second, pollTime)
}

func (l *lab) serves(t *testing.T) {
	t.Parallel()
	p := l.profile(t, "serves")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("mounted"), 0o644))
	p.BaseURL = "http://localhost:8080/pix"
	p.Container.Mounts = []target.Mount{{Source: file, Target: "/mounted/file", ReadOnly: true}}
	c, err := Start(t.Context(), p, &exchange.Redactor{})
	require.NoError(t, err)
	assert.Nil(t, c.Profile.Control)

	base, err := url.Parse(c.Profile.BaseURL)
	require.NoError(t, err)
	assert.Equal(t, "/pix", base.Path)
	assert.NotEqual(t, "8080", base.Port())
	base.Path = "/mounted"
	_, body := get(t, base.String())
	assert.Equal(t, "mounted", body)

	assert.Equal(t, http.StatusTeapot, l.calledBack(t, c, *base))

	logged, err := c.Stop(t.Context())
	require.NoError(t, err)
	assert.Contains(t, string(logged), "started with password=***")
	assert.Contains(t, string(logged), "asked to end", "the log is read when all has been said")
	l.leavesNothing(t, p)
}

// calledBack is what the target is answered where the sink would be.
func (l *lab) calledBack(t *testing.T, c *Container, base url.URL) int {
	t.Helper()
	require.Equal(t, "https://host.docker.internal:0", c.Profile.Sink.URL)
	listener, err := net.Listen("tcp", c.Profile.Sink.Listen)
	require.NoError(t, err)
	sink := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}))
	require.NoError(t, sink.Listener.Close())
	sink.Listener = listener
	sink.Start()
	defer sink.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	base.Path, base.RawQuery = "/call", url.Values{"url": {"http://host.docker.internal:" + port}}.Encode()
	status, body := get(t, base.String())
	t.Log(body)
	return status
}

func get(t *testing.T, address string) (status int, body string) {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := (&http.Client{Transport: transport}).Get(address)
	require.NoError(t, err)
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(read)
}

func (l *lab) sulks(t *testing.T) {
	t.Parallel()
	p := l.profile(t, "sulks")
	p.Container.StartUp = 3 * time.Second
	_, err := Start(t.Context(), p, &exchange.Redactor{})
	for _, says := range []string{"not ready after 3s", "/health", "503", "the end of its log:", "password=***"} {
		require.ErrorContains(t, err, says)
	}
	l.leavesNothing(t, p)
}

func (l *lab) ends(t *testing.T) {
	t.Parallel()
	p := l.profile(t, "ends")
	_, err := Start(t.Context(), p, &exchange.Redactor{})
	for _, says := range []string{"exited with status 3", "no database"} {
		require.ErrorContains(t, err, says)
	}
	l.leavesNothing(t, p)
}

// Whoever gives up, while the container is made or while it is waited for, leaves nothing.
func (l *lab) isGivenUp(t *testing.T) {
	t.Parallel()
	p := l.profile(t, "sulks")
	for _, patience := range []time.Duration{0, 10 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond, 1500 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		_, err := Start(ctx, p, &exchange.Redactor{})
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded, "%v", patience)
		l.leavesNothing(t, p)
	}
}

func (l *lab) hasNoSuchImage(t *testing.T) {
	t.Parallel()
	p := target.Profile{Container: &target.Container{Image: "127.0.0.1:1/nobody/nothing:ever"}}
	_, err := Start(t.Context(), p, &exchange.Redactor{})
	require.ErrorContains(t, err, "cannot pull the image 127.0.0.1:1/nobody/nothing:ever")
}

func (l *lab) hasNoSuchPort(t *testing.T) {
	t.Parallel()
	p := l.profile(t, "serves")
	p.Container.Port = 9
	p.Container.StartUp = 3 * time.Second
	_, err := Start(t.Context(), p, &exchange.Redactor{})
	require.ErrorContains(t, err, "correct image.port")
	l.leavesNothing(t, p)
}

func TestNoEngine(t *testing.T) {
	t.Setenv("DOCKER_HOST", "tcp://127.0.0.1:1")
	_, err := Start(t.Context(), target.Profile{Container: &target.Container{Image: "any"}}, &exchange.Redactor{})
	require.ErrorContains(t, err, "none responds")
	require.ErrorContains(t, err, "DOCKER_HOST")
}
