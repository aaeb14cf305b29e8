# What stands on tickets, in calendars, and in the mails that bring them.

document-title = Tickets: { $event }
document-ticket-of = Ticket { $number } of { $count }
document-page-of = Page { $number } of { $count }
document-ends = Ends
document-category = Category
document-sector = Sector
document-seat = Seat
document-price = Price
document-ticket = Ticket
document-order = Order
document-code = Code
document-invitation = Invitation
document-notes = Good to know
document-at-the-entrance = Please have the barcode ready at the entrance, on paper or on a screen. Whoever shows it first is let in: keep it to yourself.
document-organizer = Organizer: { $name }
document-vendor = Sold by { $name }
document-barcode-picture = QR code: { $digits }

returns-never = Tickets cannot be given back.
returns-until-end = Tickets can be given back until the event ends.
returns-until-start = Tickets can be given back until the event starts.
returns-until-days =
    { $count ->
        [one] Tickets can be given back until one day before the event starts.
       *[other] Tickets can be given back until { $count } days before the event starts.
    }
returns-nothing-kept = Nothing of their price is kept.
returns-part-kept = { $percent } of their price is kept.

mail-tickets-subject = Your tickets: { $event }
mail-order = { $number }, code { $code }
mail-row = row { $name }
mail-seat = seat { $name }
mail-barcodes = Please have the barcode of each ticket ready at the entrance, on paper or on a screen.
mail-order-page = Your order
mail-order-page-hint = On the page of your order you find your tickets again. Its address is the key to them: please do not pass it on.
mail-links-subject = Your orders at { $name }
mail-links = Hello, somebody has asked for the tickets that were ordered with this address. Here they are:
mail-links-hint = Whoever has such an address has the tickets: please do not pass it on. If you have not asked for them, you need not do anything.
mail-transfer-subject = Please pay for your tickets: { $event }
mail-door-subject = Your tickets are reserved: { $event }
mail-transfer = Thank you for your order. Please transfer the sum with exactly this reference. As soon as it has arrived, your tickets come by mail.
mail-door = Thank you for your order. Your tickets wait for you at the door, where you pay for them. Please bring your order number.
mail-pay-until = Held for you until
mail-payment-page-hint = On the page of your order you can see how far it is, pay in another way, or cancel it. Its address is the key to it: please do not pass it on.
