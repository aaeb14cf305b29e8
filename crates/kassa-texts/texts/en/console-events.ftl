# Events in the console: promo codes, promotions, tickets and seats.

# Promo codes
promocodes-count-all = { $count ->
    [one] { $count } promo code
   *[other] { $count } promo codes
}
promocode-name = What it is for
promocode-over = Over
promocode-used-up = Used up
promocode-coming = Not yet
promocode-valid = Can be used
promocode-stays = What it does
promocode-max = Tickets of an order, at most
promocode-reserved = Held by orders now
promocode-from = From when
promocode-from-hint = Since it was made, if empty.
promocode-until-hint = For good, if empty.
promocode-end = End it now
promocode-end-hint = No order can begin to use it any more; orders that have it keep it. Give it another end above to bring it back.
own-notes = Notes of your own
own-notes-hint = Buyers do not see it.
own-notes-text = Notes
sets-all = For all tickets
and-more = { $name } more

# Promotions
promotions = Promotions
promotion = Promotion
promotions-hint = They need no code: the more an order holds, the more they take off. While one runs, no promo code can be added.
promotions-empty = None yet.
promotions-current = Those that hold
promotions-all = Also ended ones
new-promotion = New promotion
promotion-runs = Runs
promotion-coming = Not yet
promotion-over = Over
promotion-removed = Ended by hand
promotion-was = It was ended. Orders that had it keep it.
promotion-when = When
promotion-level-count = { $from }+ tickets: −{ $value }
promotion-level-sum = { $from } or more: −{ $value }
promotion-levels = What it takes off
promotion-levels-hint = The highest level that an order reaches acts on each of its tickets. Each begins above the one before.
promotion-by = Levels are reached by
promotion-by-count = The number of tickets
promotion-by-sum = The sum of their prices
promotion-kind = It takes off
promotion-level = Level { $name }
promotion-from = From how much on
promotion-start = Begins
promotion-start-hint = At once, if empty.
promotion-finish = Ends
promotion-finish-hint = When you end it, if empty.
promotion-sets-hint = These count, and get cheaper. All do, if none is chosen.
promotion-end = End it now
promotion-end-hint = New orders get nothing off at once; orders that have it keep what they were promised. An ended one cannot be brought back: make another.
since-time = from { $name }
until-time = until { $name }
times-of = Times of { $name }.
done-ended = It was ended.
denied-promotion-overlap = Another promotion runs at this time for one of these sets.
denied-promotion-levels = Each level has to begin above the one before, with a whole number of tickets or a sum, and take off 0 to 100 percent or a sum.
denied-too-many = That is too many.

# Tickets
tickets-one-by-one = One by one
all-tickets = All tickets
tickets-all = All
tickets-search = Number or barcode
tickets-empty = No ticket is here
tickets-empty-hint = Tickets come with sets: make one first.
tickets-count = { $count ->
    [one] { $count } ticket
   *[other] { $count } tickets
}
choose-ticket = Choose
ticket-number = Number
ticket-called = Ticket { $name }
ticket-vacant = Free
ticket-reserved = Held by an order
ticket-sold = Sold
ticket-blocked = Held back
ticket-seat = Seat
ticket-order = Find its order
seat-or-set = Seat or set
block-do = Hold back
free-do = Put back on sale
block-hint = What is held back cannot be bought until you put it back on sale.
hold-back-hint = Held back tickets cannot be bought. A smaller number puts the others back on sale.
hold-back-count = Held back of { $name }
hold-back-do = Hold back so many
denied-ticket-taken = Some of them are held by an order or sold.

# Seats
seats = Seats and prices
seats-hint = Choose rows or seats, then hold them back, or give them a price.
seats-map = Hall map
seats-map-hint = The place has halls with numbered seats. An event that takes one sells by it.
seats-map-use = Sell by this hall
seats-empty = No numbered seats
seats-empty-hint = Seats come from the hall map of the place, which programs draw until the editor of halls is here.
seats-unpriced = No price yet
seats-counts = { $free } free, { $held } held back, { $taken } taken
seats-do = Chosen seats
seats-choose-hint = Choose seats of the rows that are open, or whole rows.
seats-give = Give them the price of
seats-give-do = Give them this price
seats-price = Or a price of their own
seats-price-do = Make it, and give it to them
seat-held = held back
whole-row = Whole row
paint-rows = Choose whole rows
paint-seats = Choose by drawing
paint-help = Drawing chooses each seat or row that you pass over, and gives up what was chosen where it began. Without it, the same gesture moves the picture.
denied-set-busy = Seats of this set are still being moved. Try again in a moment.
denied-seat-taken = Another set has some of these seats meanwhile.
denied-seats-not-on-map = The hall map does not have some of these seats.
denied-seats-not-chosen = Choose rows or seats first.
denied-seats-without-price = Seats without a price are not on sale: give them one first.
denied-set-not-chosen = Choose whose price they get.
denied-other-sector = A set is in one part of the hall. Give these seats a price of their own.
denied-seats-fixed = Seats that are sold, held by an order or held back keep their price. Put those that are held back on sale first.

# Places and what is removed
console-venues = Places
venues-hint = Where your events are. Any organizer may use them; you alone change them.
venues-empty = No place is here
venues-empty-hint = An event makes its place, or you make one here.
new-venue = New place
venue-desc = About the place
venue-desc-hint = Buyers read it with the event.
venue-latitude = Latitude
venue-longitude = Longitude
venue-point-hint = In degrees, such as 59.94 and 30.31: where maps show it.
venue-remove = Remove the place
venue-remove-hint = New events cannot choose it any more, and drafts that have it need another. Events on sale keep their place from being removed. You can bring it back.
venue-restore-hint = Nobody else sees this place. Bring it back, and events can have it again.
also-removed = Also removed ones
is-removed = Removed
restore = Bring it back
events-removed = Also removed
remove-event = Remove the event
remove-event-what = { $name } will disappear from all lists.
remove-event-hint = Nobody but you sees it any more. That goes only while no ticket of it is held or sold: an event with sales is called off instead. You can bring it back.
event-restore-hint = The event is removed: nobody else sees it, and nothing is sold.
done-removed = It was removed.
done-restored = It is back.
denied-venue-in-use = An event that is on sale, or has sold tickets, takes place there.
denied-venue-gone = The place of the event was removed: choose another.
wrong-degrees = Degrees are needed, such as 59.94; both, or none.

# Pictures
denied-picture-pixels = The picture is too large: 30 million pixels at most, and 16,384 at a side.
