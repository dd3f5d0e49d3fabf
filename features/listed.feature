Feature: Listed transactions
  How the lists show each transaction: status labels, amounts and counterpart.
  Which transactions they show is in lists.feature.

  Background:
    Given an account with R$ 100.00 available

  @listed.fields
  @GEN-006 @LPK-043 @LTX-033 @LTX-034 @LTX-036 @LTX-037 @LTX-038 @LTX-039 @LTX-040 @LTX-041 @LTX-042
  @LTX-043 @LTX-044 @LTX-045 @LTX-046 @LTX-047 @LTX-048 @LTX-049 @LTX-050 @LTX-051 @LTX-056 @LTX-061
  Rule: A settled transaction is listed with its ids, status, amounts, times and counterpart

    Background:
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00

    Scenario: A confirmed cash-out
      When the bank confirms the payment
      Then a CashOut event arrives
      And the payment is listed with:
        | transactionId                  | the first transactionId    |
        | externalId                     | the externalId sent        |
        | status                         | "Confirmado"               |
        | operationType                  | "Pix out"                  |
        | movementType                   | "DEBIT"                    |
        | originalAmount                 | R$ 10.00                   |
        | feeAmount                      | a number                   |
        | finalAmount                    | a number                   |
        | endToEndId                     | a non-empty string         |
        | createdAt                      | the time of the request    |
        | processedAt                    | the time of the request    |
        | counterpart.name               | a string                   |
        | counterpart.document           | masked                     |
        | counterpart.bank.bankISPB      | a string                   |
        | counterpart.bank.bankName      | a string                   |
        | counterpart.bank.bankCode      | a string                   |
        | counterpart.bank.accountBranch | absent or null or a string |
        | counterpart.bank.accountNumber | absent or null or a string |

    Scenario: In the list by key
      Given the gateway returns sent payments for a list-by-key request
      When the bank confirms the payment
      Then a CashOut event arrives
      When the account sends a list-by-key request
      Then the request is accepted
      And each item has:
        | transactionId        | the first transactionId |
        | status               | "Confirmado"            |
        | operationType        | "Pix out"               |
        | movementType         | "DEBIT"                 |
        | originalAmount       | R$ 10.00                |
        | createdAt            | the time of the request |
        | counterpart.document | masked                  |

    Scenario: Three payments at different fees and a charge, on one page
      Given a cash-out fee of R$ 0.29
      And the account has sent a cash-out of R$ 10.07
      And a cash-out fee of R$ 1.15
      And the account has sent a QR cash-out of R$ 8.41
      When the bank confirms the second payment
      And the bank confirms the third payment
      Then a CashOut event arrives with:
        | feeAmount | R$ 1.15 |
      And its state is CONFIRMED
      When the scenario returns to the second payment
      Then a CashOut event arrives with:
        | feeAmount | R$ 0.29 |
      And its state is CONFIRMED
      When the account sends a cash-in of R$ 1.15
      And the account sends a transaction list request
      Then the request is accepted
      And the metadata is consistent

    Scenario Outline: A payment of <time> in São Paulo is dated by UTC
      Given it is <time> in São Paulo
      And the account has sent a cash-out of R$ 10.07
      Then the payment is listed with:
        | createdAt | the time of the request |
      When the account sends a list-by-key request
      Then the request is accepted
      And each item, if any, has:
        | createdAt | the time of the request |

      Examples:
        | time  |
        | 22:30 |
        | 05:30 |
        | 15:30 |

    Scenario Outline: A payment of <day>
      Given it is noon on <day> of the next leap year in São Paulo
      And the account has sent a cash-out of R$ 10.07
      When the bank confirms the payment
      Then a CashOut event arrives
      And the payment is listed with:
        | createdAt   | the time of the request |
        | processedAt | the time of the request |

      Examples:
        | day         |
        | 29 February |
        | 30 December |
        | 31 December |

    Scenario: A payment to a company
      Given the account has sent a cash-out with details.document "11222333000181"
      When the bank confirms the payment
      Then a CashOut event arrives
      And the payment is listed with:
        | status               | "Confirmado" |
        | counterpart.document | masked       |

    Scenario: A payment of which a part was returned
      When the bank confirms the payment
      Then a CashOut event arrives
      When the payee returns R$ 4.15
      Then the payment is listed with:
        | originalAmount | R$ 10.00                    |
        | endToEndId     | the endToEndId of the event |

    Scenario: An externalId with an emoji, if the gateway accepts it
      When the account sends a cash-out with externalId a random string of 20 characters with an emoji
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "an externalId beyond letters and digits"
      And if the request was accepted, the payment is listed with:
        | externalId | the externalId sent |

    Scenario: The end-to-end id matches the event
      When the bank confirms the payment
      Then a CashOut event arrives
      And the payment is listed with:
        | endToEndId | the endToEndId of the event |

  @listed.status
  @GEN-014 @LTX-035 @LTX-052 @LTX-053 @LTX-054
  Rule: The status is a label: Pendente, Confirmado or Error

    Background:
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00

    Scenario: Pending
      Then the payment is listed with:
        | status | "Pendente" |

    Scenario: Confirmed
      When the bank confirms the payment
      Then the payment is listed with:
        | status | "Confirmado" |

    Scenario: Rejected
      When the bank rejects the payment with ORDER_REJECTED
      Then the payment is listed with:
        | status | "Error" |

  @listed.charge
  @IN-066 @IN-068 @IN-073 @IN-074 @LTX-034 @LTX-043 @LTX-052 @LTX-053 @LTX-055 @LTX-059
  Rule: A charge is listed as Pix in and CREDIT

    Scenario: Unpaid
      Given the account has sent a cash-in of R$ 10.00
      Then the payment is listed with:
        | status         | "Pendente"                      |
        | operationType  | "Pix in"                        |
        | movementType   | "CREDIT"                        |
        | externalId     | the transaction.externalId sent |
        | originalAmount | R$ 10.00                        |

    Scenario: Paid
      Given the account has sent a cash-in of R$ 10.00
      And a payer pays the charge
      Then the payment is listed with:
        | status         | "Confirmado" |
        | operationType  | "Pix in"     |
        | movementType   | "CREDIT"     |
        | originalAmount | R$ 10.00     |
        | processedAt    | a UTC time   |

  @listed.amounts
  @LTX-038
  Rule: The final amount of a cash-out is the original amount plus the fee

    Background:
      Given settlement waits for the bank
      And the account receives cash_out webhooks

    Scenario Outline: A cash-out of R$ <amount> with a fee of R$ <fee>
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And a cash-out fee of R$ <fee>
      And the account has sent a cash-out of R$ <amount>
      When the bank confirms the payment
      Then the payment is listed with:
        | originalAmount | R$ <amount> |
        | feeAmount      | R$ <fee>    |
        | finalAmount    | R$ <final>  |
      When the account sends a list-by-key request
      Then the request is accepted
      And each item, if any, has:
        | originalAmount | R$ <amount> |
        | feeAmount      | R$ <fee>    |
        | finalAmount    | R$ <final>  |

      Examples:
        | amount | fee  | final  |
        | 0.10   | 0.20 | 0.30   |
        | 10.00  | 0.00 | 10.00  |
        | 0.07   | 0.29 | 0.36   |
        | 1.15   | 8.41 | 9.56   |
        | 136.42 | 0.01 | 136.43 |

    Scenario: A charge with a fee
      Given a cash-in fee of R$ 0.50
      And the account has received R$ 10.00 through a cash-in
      Then the payment is listed with:
        | originalAmount | R$ 10.00            |
        | feeAmount      | R$ 0.50             |
        | finalAmount    | R$ 9.50 or R$ 10.50 |
      And the payment's finalAmount is recorded for open point "finalAmount of a charge"

  @listed.unchanged
  @OUT-060 @OUT-076 @OUT-077
  Rule: The listing of a finished payment should not change

    Background:
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00

    @open:finality-of-a-payment
    Scenario: Confirmed
      When the bank confirms the payment
      Then the payment is listed with:
        | status | "Confirmado" |
      When the bank tries to reject the payment with ORDER_REJECTED
      Then the payment should be listed as before

    @open:finality-of-a-payment
    Scenario: Rejected
      When the bank rejects the payment with ORDER_REJECTED
      Then the payment is listed with:
        | status | "Error" |
      When the bank tries to confirm the payment
      Then the payment should be listed as before
