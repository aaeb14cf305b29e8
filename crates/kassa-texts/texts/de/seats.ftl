# Wo Plätze gewählt werden.

choose-seats = Plätze wählen
to-rows = Reihen und Plätze
best-title = Die besten nebeneinander
best-hint = Wir suchen freie Plätze nebeneinander, möglichst mittig und weit vorn.
price-category = Preiskategorie
how-many = Anzahl
best-button = Plätze suchen
best-missing = So viele Plätze nebeneinander gibt es nicht mehr. Bitte versuchen Sie es mit weniger oder einer anderen Kategorie.
by-row = Reihe für Reihe
rows = Reihen
row-in-line = Reihe
seats-free =
    { $count ->
        [one] 1 Platz frei
       *[other] { $count } Plätze frei
    }
your-seats = Ihre Plätze
chosen-none = Sie haben noch keinen Platz gewählt.
chosen-so-far =
    { $count ->
        [one] 1 Platz
       *[other] { $count } Plätze
    }
chosen-seats = Plätze: { $name }
reserve-seats = Diese Plätze reservieren
reserve-anyway = Trotzdem reservieren
reserve-hint = Sie sind dann für Sie reserviert, während Sie die Bestellung abschließen.
remove-seat = Entfernen
seat-free = frei
seat-taken = vergeben
seat-chosen = gewählt
seat-own = in Ihrer Bestellung
seat-lost = Gerade hat jemand anderes zugegriffen: { $name }.
seat-offer = Stattdessen { $name } nehmen
seats-none-near = Plätze dieser Art gibt es nicht mehr. Bitte sehen Sie sich eine andere Kategorie an.
singles-warned = { $name } bliebe allein übrig: Einzelplätze kauft kaum jemand. Können Sie um einen Platz rücken?
singles-forbidden = { $name } bliebe allein übrig. Bitte wählen Sie so, dass kein einzelner Platz bleibt.
limit-reached = Mehr Plätze kann eine Bestellung nicht haben.
stage = Bühne
hall-map = Bild des Saals
hall-loading = Einen Moment: Der Saal wird gezeichnet.
map-help = Die Pfeiltasten führen von Platz zu Platz, die Eingabetaste wählt. Plus und Minus ändern den Ausschnitt.
zoom-in = Näher heran
zoom-out = Weiter weg
zoom-all = Der ganze Saal
connection-lost = Was frei ist, kann sich geändert haben: Die Verbindung ist unterbrochen.
notice-seats-gone = Einige dieser Plätze wurden gerade vergeben. Noch ist nichts reserviert.
notice-single-seats = Bitte sehen Sie sich Ihre Auswahl noch einmal an. Noch ist nichts reserviert.
