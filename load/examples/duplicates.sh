#!/bin/sh
# Prints a rule with a thousand examples, to measure how often a gateway breaks it under load:
#
#   mkdir rules
#   load/examples/duplicates.sh > rules/duplicates.feature
#   ./pixcert certify --features rules --tags @own

cat <<'END'
Feature: A thousand times

  @load.duplicates
  Rule: A used externalId is rejected

    Scenario Outline: Attempt <n>
      Given an account with R$ 100.00 available
      And the account has sent a cash-out of R$ 10.00
      When the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the available balance stays unchanged

      Examples:
        | n |
END
seq -f '        | %g |' 1000
