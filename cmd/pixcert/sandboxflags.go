package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/steps/profile"
	"github.com/pixcert/pixcert/steps/target"
)

// sandboxFlags select an account of a running gateway.
type sandboxFlags struct {
	Profile      string `placeholder:"FILE" type:"existingfile" env:"PIXCERT_PROFILE" help:"Read the gateway's profile from this file (default: pixcert.yaml, if it exists)."`
	ControlURL   string `name:"control-url" placeholder:"URL" help:"Call the test controls at this base URL (default: the profile's, or http://127.0.0.1:8081)."`
	ControlToken string `name:"control-token" placeholder:"TOKEN" env:"PIXCERT_CONTROL_TOKEN" help:"Send this bearer token to the test controls."`
	Account      int64  `placeholder:"N" help:"Select the account with this id (default: the first of the profile, or 1)."`
}

// profileReader is profile.Read or profile.Outline.
type profileReader func(file string, getenv func(string) (string, bool), replaced ...string) (target.Profile, []string, error)

// read reads the profile: without --profile, the one that certify finds, and an empty one if there is none. As for
// certify, the address of another gateway stands for a profile.
func (f *sandboxFlags) read(to *console, with profileReader) (target.Profile, error) {
	if f.Profile == "" && f.ControlURL == "" {
		if f.Profile = standardProfile(); f.Profile != "" {
			fmt.Fprintf(to.err, "pixcert: using %s; for another gateway, pass --profile or --control-url\n", f.Profile)
		}
	}
	if f.Profile == "" {
		return target.Profile{}, nil
	}
	p, notes, err := with(f.Profile, os.LookupEnv)
	for _, note := range notes {
		fmt.Fprintf(to.err, "pixcert: note: %s\n", note)
	}
	return p, err
}

// profileAccount returns the profile and the selected account of it.
func (f *sandboxFlags) profileAccount(to *console) (target.Profile, target.Account, error) {
	p, err := f.read(to, profile.Read)
	if err != nil {
		return p, target.Account{}, err
	}
	if f.Profile == "" {
		return p, target.Account{}, errors.New("expected --profile, PIXCERT_PROFILE or pixcert.yaml with the gateway's profile, which has the account's credentials; pixcert serve prints its path")
	}
	for _, account := range p.Accounts {
		if f.Account == 0 || f.Account == account.AccountID {
			return p, account, nil
		}
	}
	return p, target.Account{}, fmt.Errorf("%s: expected an account with id %d, found none", f.Profile, f.Account)
}

// controls returns the test controls of the selected account. The caller closes them.
func (f *sandboxFlags) controls(to *console) (sandboxControls, error) {
	p, err := f.read(to, profile.Outline) // the controls need no credentials of accounts
	if err != nil {
		return sandboxControls{}, err
	}
	access := target.ControlAccess{URL: f.ControlURL, Token: f.ControlToken}
	if p.Control != nil && access.URL == "" {
		access.URL, access.Token = p.Control.URL, cmp.Or(f.ControlToken, p.Control.Token)
	}
	if access.URL == "" && f.Profile != "" {
		return sandboxControls{}, errors.New(f.Profile + ": expected controls.url, found none; add it, or pass --control-url")
	}
	access.URL = cmp.Or(access.URL, sandbox.DefaultControls)
	p.Control = &access
	account := f.Account
	if len(p.Accounts) > 0 {
		account = cmp.Or(account, p.Accounts[0].AccountID)
	}
	controls, err := target.ControlsOf(p, cmp.Or(account, 1), target.Identity{Version: version(), RunID: "trigger"})
	return sandboxControls{controls}, err
}

// sandboxControls are the controls of an account as package sandbox calls them.
type sandboxControls struct{ *target.AccountControls }

func (c sandboxControls) Call(ctx context.Context, method, path string, body map[string]any) ([]byte, error) {
	answer, message, err := c.AccountControls.Call(ctx, method, path, body)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w; start a gateway with `pixcert serve`, or pass --control-url", err)
	case message != "":
		return nil, &sandbox.Refused{Status: answer.Status, Message: message}
	}
	return answer.ResponseBody, nil
}

// words are the flags that select the same account in another command; without the token, which is a secret.
func (f *sandboxFlags) words() []string {
	var words []string
	if f.Profile != "" {
		words = append(words, "--profile", f.Profile)
	}
	if f.ControlURL != "" {
		words = append(words, "--control-url", f.ControlURL)
	}
	if f.Account != 0 {
		words = append(words, "--account", strconv.FormatInt(f.Account, 10))
	}
	return words
}
