# The cart, the checkout and the page of an order.

choose = How many
choose-of = How many of { $name }
cart-button = Continue
cart-closed = Tickets for this event are not sold here.

order-title = Order { $count }
order-cart = Your tickets are held
order-cart-hint = Nobody else can take them while you finish your order.
order-awaiting = Waiting for your payment
order-awaiting-hint = Your tickets stay yours until the time below.
order-unpaid = The payment did not work
order-unpaid-hint = Nothing was charged, and your tickets are still held. Please try again, or pay in another way.
order-paid = See you there!
order-paid-hint = Everything is paid. Show your tickets at the door, on paper or on your phone.
order-called-off = This event was called off
order-called-off-hint = Your tickets are no longer needed at any door. The organizer tells you how your money comes back; you can ask for it below.
order-returned = All tickets were given back
order-returned-hint = This order has no tickets any more.
order-canceled = This order was canceled
order-canceled-hint = Nothing was charged, and the tickets are free for others again.
order-expired = The time for this order ran out
order-expired-hint = The tickets were held for you as long as we could, and are on sale again. If you have paid, your money finds the order: it gets its tickets if they are still there, or goes back to you.
order-again = Choose tickets again
order-give-up = Give these tickets up
order-free = Get the tickets
order-code = Order code

row = Row
seat = seat
discount = Discount
total = Total
refunded = Paid back
refund-under-way = Is being paid back
refund-granted = Refund approved
promocode = Promo code
promocode-use = Apply
promocode-have = I have a promo code
promocode-remove = Remove

checkout = Your details
held-till = Held for you until
held-for = Held for you for
hold-ends-soon = Your tickets are held for two more minutes.
need-more-time = I need more time
email = E-mail
email-hint = Your tickets go there.
name = Name
phone = Phone
optional = (optional)
how-to-pay = How would you like to pay?
pay-sum = Order and pay { $name }
binding = With the button you place a binding order.
pay-test = Test payment
pay-test-hint = For trying the shop out: no money moves.
pay-transfer = Bank transfer
pay-transfer-hint = You get the account and a reference. Tickets come when the money is there.
pay-door = At the door
pay-door-hint = We keep your tickets until the event begins. You pay when you come.
pay-stripe = By card
pay-stripe-hint = On the secure page of Stripe. Your tickets come at once.

payment = Payment
payment-go-on = Go on to the payment
transfer-hint = Please transfer the sum with exactly this reference. As soon as it has arrived, your tickets come by mail.
transfer-code = Or scan this with your bank’s app.
transfer-holder = Recipient
transfer-iban = IBAN
transfer-bic = BIC
transfer-reference = Reference
door-hint = Your tickets wait for you at the door. Please bring your order number.
keep-this-page = Keep the address of this page: it is the key to your order. Do not pass it on.

your-tickets = Your tickets
tickets-sent = We have sent them to { $name }.
ticket-barcode = Barcode of the ticket
download-tickets = Download tickets (PDF)
give-back = Give tickets back
give-back-hint = The organizer decides by the terms of your purchase how much is paid back. The tickets are void from then on.
give-back-ask = Ask for the money back
what-next = What next?
back-to-order = Back to the order
own-tickets =
    { $count ->
        [one] You hold 1 ticket for this event.
       *[other] You hold { $count } tickets for this event.
    }

stripe-title = To the payment
stripe-hint = You are being taken to the secure page of our payment provider, Stripe. It knows your card; we never see it.
stripe-unavailable = The payment provider gives no answer right now. Nothing was charged. Please try again, or choose another way to pay.
stripe-again = Try again

test-over = No money moves
test-title = Test payment
test-hint = This page stands in for a bank. Choose how the payment shall end.
test-yes = Pay
test-no = Decline the payment
test-later = Pay in twenty seconds
test-twice = Report the payment twice
test-late = Pay after the time has run out
test-never = Never answer

notice-nothing-chosen = Please choose at least one ticket.
notice-all-taken = These tickets were taken a moment ago. Please choose others.
notice-some-taken = Not all of these tickets were left. We hold for you what there was.
notice-too-many = That is more than one order can have. Please choose fewer.
notice-too-many-unpaid = There are too many unpaid orders of yours for this event. Please pay or cancel one first.
notice-not-on-sale = Tickets are not on sale right now.
notice-shop-closed = Tickets for this event are not sold here.
notice-not-reserved = The tickets could not be reserved. Please try again.
notice-longer = You have more time now.
notice-canceled = The order was canceled.
notice-code-used = The code was applied.
notice-code-removed = The code was removed.
notice-refund-asked = We have passed your wish on to the organizer.

refused = That did not work. Please try again.
refused-fields = Please look at the marked fields again.
refused-email = Please enter the e-mail address where your tickets shall go.
refused-code-unknown = There is no such code.
refused-code-not-here = This code is not valid for these tickets.
refused-code-more-tickets = This code needs more tickets.
refused-code-used-up = This code was used up.
refused-no-longer = Tickets cannot be held any longer.
refused-order-final = The order is not open for this any more.
refused-unpaid-limit = There are too many unpaid orders for this event already. Please pay or cancel one first.
refused-not-on-sale = Tickets are not on sale any more.
refused-forbidden = The seller does not offer this.
refused-refund = The tickets cannot be given back any more.

error-cross-site = This form came from another place
error-cross-site-hint = For your safety it was not accepted. Please go to the page itself and try again.

lost-tickets = Send me my tickets again
lost-tickets-hint = Enter the e-mail address that you ordered with. We send you the links of your orders.
lost-tickets-ask = Send the links
lost-tickets-sent = Please look into your mailbox.
lost-tickets-nothing = If there are orders with this address, their links are on the way. If nothing comes within a few minutes, look into the spam folder, or try another address.
lost-tickets-wrong = That is no e-mail address. Please look at it again.

error-canceled = This event was canceled
error-canceled-hint = It does not take place. Whoever has bought tickets finds on the page of the order what becomes of the money.
order-event-canceled = It does not take place. The organizer decides on the money for your tickets, and this page shows it when it has been paid back.

order-cancel = Cancel this order
holder = Name on the ticket
field-wrong = Please fill this in.
yes = Yes
no = No
please-choose = Please choose
terms-accept = I accept the terms of { $name }.
terms-wrong = Please accept the terms to order. They may have changed a moment ago.
seller-terms = Terms of the seller
seller-terms-file = Terms of the seller (PDF)
names-change = Change names on tickets
names-hint = You can change them until { $name }.
names-save = Save the names
notice-names-changed = The names were saved.
refused-names-over = The names on these tickets can no longer be changed.
