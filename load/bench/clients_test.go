package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"

	"github.com/pixcert/pixcert/load/internal/gateway"
)

// sendAll is a client in a separate process: a number of users, each of which sends one
// cash-out after the other until the process's input ends. A user is created by its number.
func sendAll(user func(to target, number int) (cashOut func(i int) error, err error)) int {
	var to target
	users, err := strconv.Atoi(os.Getenv("VUS"))
	if err == nil {
		err = json.Unmarshal([]byte(os.Getenv("TARGET")), &to)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ended, end := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		end()
	}()
	var sending sync.WaitGroup
	for number := range users {
		sending.Go(func() {
			cashOut, err := user(to, number)
			for i := 0; err == nil && ended.Err() == nil; i++ {
				err = cashOut(i)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		})
	}
	sending.Wait()
	return 0
}

// plainClient sends cash-outs with the standard library, in the usual way.
func plainClient() int {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: virtualUsers}}
	return sendAll(func(to target, number int) (func(int) error, error) {
		token, err := plainToken(client, to.URL, to.Credentials[number%len(to.Credentials)])
		return func(i int) error {
			return plainCashOut(client, to.URL, token, fmt.Sprintf("p%dx%dx%d", os.Getpid(), number, i))
		}, err
	})
}

func plainToken(client *http.Client, base string, c gateway.Credentials) (string, error) {
	body, err := json.Marshal(map[string]string{"clientId": c.ClientID, "clientSecret": c.ClientSecret})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequest(http.MethodPost, base+"/api/auth/token", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-SSL-Client-Cert", url.QueryEscape(c.Certificate))
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	return answer.AccessToken, err
}

type plainOrder struct {
	Value       json.Number `json:"value"`
	ExternalID  string      `json:"externalId"`
	Description string      `json:"description"`
	Details     struct {
		Key      string `json:"key"`
		KeyType  string `json:"keyType"`
		Name     string `json:"name"`
		Document string `json:"document"`
	} `json:"details"`
}

func newPlainOrder(id string) plainOrder {
	order := plainOrder{Value: "10.50", ExternalID: id, Description: "Aluguel de novembro"}
	order.Details.Key, order.Details.KeyType = "maria.souza@example.com", "EMAIL"
	order.Details.Name, order.Details.Document = "Maria de Souza", "52998224725"
	return order
}

func plainCashOut(client *http.Client, base, token, id string) error {
	body, err := json.Marshal(newPlainOrder(id))
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, base+"/api/pix/cash-out", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	var answer struct {
		TransactionID string `json:"transactionId"`
		ExternalID    string `json:"externalId"`
		Status        string `json:"status"`
		GenerateTime  string `json:"generateTime"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	if response.StatusCode != http.StatusCreated || answer.Status != "PENDING" || answer.TransactionID == "" {
		return fmt.Errorf("expected a pending payment, got %s: %s", response.Status, text)
	}
	return nil
}
