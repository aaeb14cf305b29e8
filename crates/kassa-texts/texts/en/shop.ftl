# The pages of the shop.

shop-about = Tickets for concerts, plays and festivals at { $name }
skip-to-content = Skip to content
languages = Language
about-the-shop = About this shop
imprint = Imprint
for-organizers = For organizers
terms = Terms
accessibility = Accessibility

home-title = What’s on
home-all = Coming up
home-empty = Nothing is on sale just now
home-empty-hint = New events appear here as soon as their organizers announce them.
next-up = Next up
pages = Pages
earlier = Earlier
later = Later
to-events = See all events

organizer = Organizer
agent = Ticket agent
website = Website
views = Views
view-list = List
view-calendar = Calendar
months = Months
month-empty = No events this month.
partner-empty = No events at the moment
partner-empty-hint = Come back soon: new dates are announced here first.

when = When
where = Where
zone = Time zone of the venue
add-to-calendar = Add to calendar
show-map = Show on the map
age-label = Age
age = From { $count } years
about-event = About the event
organized-by = Organized by
sold-by = Sold by
tickets = Tickets
to-tickets = Tickets

price-free = Free
price-from = from { $name }
price-free-and-from = Free, and from { $name }
price-since = From { $name }:
coming-prices = Later prices
left-many = Available
left-count =
    { $count ->
        [one] 1 ticket left
       *[other] { $count } tickets left
    }
numbered-seats = Numbered seats
not-on-sale = Not on sale now
sale-begins = On sale from { $name }

state-not-yet = Not on sale yet
state-on-sale = On sale
state-sold-out = Sold out
state-closed = Sales have ended
state-over = This event is over
state-canceled = Canceled

error-not-found = This page is not here
error-not-found-hint = The event may be over, or the address may have changed. What is on sale now is on the first page.
error-method = This page only shows things
error-method-hint = What was sent to it changed nothing.
error-busy = A lot is going on right now
error-busy-hint = Please try again in a moment. Nothing was lost.
error-too-large = That was too much at once
error-too-large-hint = What was sent is longer than any of our forms, so nothing of it was kept.
error-internal = Something went wrong on our side
error-internal-hint = We have made a note of it. Please try again in a moment.
