# Where seats are chosen.

choose-seats = Choose seats
to-rows = Rows and seats
best-title = The best together
best-hint = We look for free seats side by side, near the middle and the front.
price-category = Price category
how-many = How many
best-button = Find seats
best-missing = There are not so many seats together any more. Please try fewer, or another category.
by-row = Row by row
rows = Rows
row-in-line = row
seats-free =
    { $count ->
        [one] 1 seat free
       *[other] { $count } seats free
    }
your-seats = Your seats
chosen-none = You have not chosen a seat yet.
chosen-so-far =
    { $count ->
        [one] 1 seat
       *[other] { $count } seats
    }
chosen-seats = Seats: { $name }
reserve-seats = Reserve these seats
reserve-anyway = Reserve all the same
reserve-hint = They are then held for you while you finish your order.
remove-seat = Remove
seat-free = free
seat-taken = taken
seat-chosen = chosen
seat-own = in your order
seat-lost = Somebody else has just taken { $name }.
seat-offer = Take { $name } instead
seats-none-near = There are no more seats of this kind. Please look at another category.
singles-warned = { $name } would be left alone: hardly anybody buys a single seat. Would you mind moving by one?
singles-forbidden = { $name } would be left alone. Please choose seats that leave no single one.
limit-reached = One order cannot have more seats.
stage = Stage
hall-map = Picture of the hall
hall-loading = One moment: the hall is being drawn.
map-help = Arrow keys go from seat to seat, Enter chooses one. Plus and minus zoom.
zoom-in = Closer
zoom-out = Further away
zoom-all = The whole hall
connection-lost = What is free may have changed: the connection was lost.
notice-seats-gone = Some of these seats were taken a moment ago. Nothing was reserved yet.
notice-single-seats = Please have one more look at your choice. Nothing was reserved yet.
