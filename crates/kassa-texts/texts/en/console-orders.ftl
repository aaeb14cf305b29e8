# Orders in the console.

# The list
console-orders = Orders
orders-search = Number, barcode, name, e-mail, phone
orders-number-date = Number and date
find = Find
find-all = Show all
orders-all = All
orders-empty = No order is here
orders-empty-hint = What people buy stands here, and what you sell at the door.
orders-many = At least { $count } orders
orders-count = { $count ->
    [one] { $count } order
   *[other] { $count } orders
}
order-no = Order
customer = Customer
order-state-done = Paid
order-state-paying = Awaits payment
order-state-held = Held
order-state-canceled = Canceled
order-state-refunded = Tickets given back
order-state-expired = Expired

# One order
order-number = Order { $name }
seat-of = Row { $row }, seat { $number }
resend = Mail the tickets again
cancel-order = Cancel the order
payments = Payments
payment-amount = Sum
payment-received = Received
confirm-received = It has arrived
payment-pending = Awaited
payment-paid = Paid
payment-failed = Failed
payment-canceled = Given up
payment-returning = Goes back
payment-to-send-back = To be sent back
payment-returned = Has gone back
payment-gone-back = gone back:
payment-to-return = Sum that was sent back
confirm-returned = I have sent it back
payment-reason-declined = It was declined
payment-reason-expired = The time was up
payment-reason-replaced = The customer chose another way
payment-reason-order-canceled = The order was canceled
payment-reason-order-paid = The order was paid in another way
payment-reason-order-changed = The order has changed
payment-reason-tickets-gone = It came when the tickets were gone
payment-reason-event-over = The event is over or not on sale
payment-reason-surplus = More came than the order costs
payment-reason-refund = Tickets were given back
what-to-do = What to do
refunds = Requests for money
refund-sum = Goes back
refund-new = Asked for
refund-in-progress = In progress
refund-approved = Approved
refund-rejected = Rejected
refund-approve = Pay back { $name }
refund-reject = Reject
order-no-tickets = It has no tickets any more.
barcode = Barcode
give-money-back = Give money back
give-money-back-hint = Choose tickets above. You see the sum before anything is paid back.
refund-why = Why
refund-by-customer = The customer cannot come
refund-by-customer-hint = What the refund policy keeps is kept.
refund-by-us = It is our doing
refund-by-us-hint = All that was paid goes back.
refund-ask = Show the sum
history = History
change-order-reserved = Tickets were reserved
change-order-changed = The order was changed
change-order-paying = Payment began
change-order-paid = It was paid
change-order-canceled = It was canceled
change-order-expired = The time was up
change-order-refunded = Refund approved
change-ticket-issued = Tickets were made out
change-ticket-voided = A ticket became void
change-payment-started = A payment began
change-payment-changed = A part of a payment arrived
change-payment-returning = Money goes back
change-payment-paid = A payment arrived
change-payment-failed = A payment failed
change-payment-canceled = A payment was given up
change-payment-returned = Money went back
actor-system = the server
actor-operator = the operator
actor-customer = the customer

# At the door
console-sale = Sell at the door
sale-choose = For which event?
sale-empty = Nothing is on sale now
sale-customer = Name and e-mail (optional)
sale-customer-hint = With an e-mail, the tickets are mailed, too.
sale-sell = Paid: sell
sale-show = Show the sum
sale-collect = To collect: { $name }
sale-collected = Collected: { $name }
sale-hint = You have been given the money. The tickets come next, to print or to show.

# What was done
done-received = Noted: the money is there.
done-returned = Noted: the money has gone back.
done-refund-asked = This is what goes back. Nothing is paid back before you say so.
done-refunded = Approved: the money is to go back, and the tickets are on sale again. What was paid by transfer or at the door, you send back yourself.
done-rejected = The request was rejected.
done-resent = The tickets are on their way.
done-sold = Sold.

# What is refused
denied-not-on-sale = The event is not on sale.
denied-event-over = The event is over or was canceled.
denied-order-empty = So many tickets are not left.
denied-order-state = The order is in a state where this cannot be done.
denied-refund-policy = The refund policy does not allow it any more.
denied-refund-open = A request for these tickets is open already.
denied-nothing-chosen = Choose tickets first.
denied-tickets-gone = The tickets were sold to others.

# Many promo codes, and refunds
new-promocodes = Many promo codes
promocodes-typed = Codes of your own
promocodes-typed-hint = One per line, up to 500.
promocodes-count = Codes to be made up
promocodes-count-hint = Eight letters and digits that nobody can guess.
promocodes-prefix = Each begins with
promocodes-csv = Download as a table (CSV)
console-refunds = Refund requests
refunds-hint = Each is decided on the page of its order.
refunds-all = All
refunds-empty = Nobody asks for money back.
refunds-sum = To be paid back
promocodes-made = { $count ->
    [one] One code is made; those below were refused.
   *[other] { $count } codes are made; those below were refused.
}
