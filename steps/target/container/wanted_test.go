package container

import (
	"testing"

	dockerspec "github.com/moby/docker-image-spec/specs-go/v1"
	"github.com/moby/moby/client"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/target"
)

// imageWith is an image with labels, in pairs, and exposed ports.
func imageWith(exposed []string, labels map[string]string) client.ImageInspectResult {
	var image client.ImageInspectResult
	image.Config = &dockerspec.DockerOCIImageConfig{}
	image.Config.Labels, image.Config.ExposedPorts = labels, map[string]struct{}{}
	for _, port := range exposed {
		image.Config.ExposedPorts[port] = struct{}{}
	}
	return image
}

func TestWhatIsLeftOpenComesFromTheImage(t *testing.T) {
	t.Parallel()
	labels := map[string]string{portLabel: "8080", controlsLabel: "8081", healthLabel: "/healthz"}
	both := []string{"8080/tcp", "8081/tcp"}
	elsewhere := &target.ControlAccess{URL: "http://127.0.0.1:9000"}
	for name, c := range map[string]struct {
		profile            target.Profile
		container          target.Container
		image              client.ImageInspectResult
		port, controlsPort int
	}{
		"labels":             {image: imageWith(both, labels), port: 8080, controlsPort: 8081},
		"one port":           {image: imageWith([]string{"80/tcp"}, nil), port: 80},
		"a URL":              {profile: target.Profile{BaseURL: "http://127.0.0.1:7000/pix"}, image: imageWith(both, labels), port: 7000, controlsPort: 8081},
		"a URL without port": {profile: target.Profile{BaseURL: "https://localhost"}, image: imageWith(both, nil), port: 443},
		"the profile":        {container: target.Container{Port: 1, ControlsPort: 2}, image: imageWith(both, labels), port: 1, controlsPort: 2},
		"controls elsewhere": {profile: target.Profile{Control: elsewhere}, image: imageWith(both, labels), port: 8080},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.profile.Container = &c.container
			w, err := settle(c.profile, c.image)
			require.NoError(t, err)
			assert.Equal(t, c.port, w.Port)
			assert.Equal(t, c.controlsPort, w.ControlsPort)
			assert.Equal(t, c.controlsPort != 0, w.controls != nil)
		})
	}
}

func TestEverythingThatIsMissingIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	_, err := settle(target.Profile{Container: &target.Container{Image: "acme"}}, imageWith([]string{"1/tcp", "2/tcp"}, map[string]string{controlsLabel: "many"}))
	require.ErrorContains(t, err, "exposes 1/tcp, 2/tcp")
	require.ErrorContains(t, err, `"many"`)
	_, err = settle(target.Profile{BaseURL: "gateway", Sink: target.Sink{Listen: "127.0.0.1:9443"}, Container: &target.Container{Port: 70000}}, imageWith(nil, nil))
	require.ErrorContains(t, err, `"gateway"`)
	require.ErrorContains(t, err, `"70000"`)
	require.ErrorContains(t, err, "127.0.0.1:9443, which containers cannot reach")
}
