# Orders in the console.

# The list
console-orders = Bestellungen
orders-search = Nummer, Barcode, Name, E-Mail, Telefon
orders-number-date = Nummer und Datum
find = Suchen
find-all = Alle zeigen
orders-all = Alle
orders-empty = Hier ist keine Bestellung
orders-empty-hint = Hier steht, was gekauft wird und was Sie an der Tür verkaufen.
orders-many = Mindestens { $count } Bestellungen
orders-count = { $count ->
    [one] { $count } Bestellung
   *[other] { $count } Bestellungen
}
order-no = Bestellung
customer = Kunde
order-state-done = Bezahlt
order-state-paying = Wartet auf Zahlung
order-state-held = Gehalten
order-state-canceled = Storniert
order-state-refunded = Karten zurückgegeben
order-state-expired = Verfallen

# One order
order-number = Bestellung { $name }
seat-of = Reihe { $row }, Platz { $number }
resend = Karten erneut mailen
cancel-order = Bestellung stornieren
payments = Zahlungen
payment-amount = Betrag
payment-received = Erhalten
confirm-received = Es ist da
payment-pending = Erwartet
payment-paid = Bezahlt
payment-failed = Gescheitert
payment-canceled = Aufgegeben
payment-returning = Geht zurück
payment-to-send-back = Zurückzuzahlen
payment-returned = Ist zurück
payment-gone-back = zurückgegangen:
payment-to-return = Betrag, der zurückging
confirm-returned = Ich habe es zurückgeschickt
payment-reason-declined = Sie wurde abgelehnt
payment-reason-expired = Die Zeit war um
payment-reason-replaced = Der Kunde wählte einen anderen Weg
payment-reason-order-canceled = Die Bestellung wurde storniert
payment-reason-order-paid = Die Bestellung wurde anders bezahlt
payment-reason-order-changed = Die Bestellung hat sich geändert
payment-reason-tickets-gone = Es kam, als die Karten weg waren
payment-reason-event-over = Die Veranstaltung ist vorbei oder nicht im Verkauf
payment-reason-surplus = Es kam mehr, als die Bestellung kostet
payment-reason-refund = Karten wurden zurückgegeben
what-to-do = Was zu tun ist
refunds = Rückgaben
refund-sum = Geht zurück
refund-new = Beantragt
refund-in-progress = In Arbeit
refund-approved = Bewilligt
refund-rejected = Abgelehnt
refund-approve = { $name } zurückzahlen
refund-reject = Ablehnen
order-no-tickets = Sie hat keine Karten mehr.
barcode = Barcode
give-money-back = Geld zurückgeben
give-money-back-hint = Wählen Sie oben Karten. Sie sehen den Betrag, bevor etwas zurückgezahlt wird.
refund-why = Warum
refund-by-customer = Der Kunde kann nicht kommen
refund-by-customer-hint = Was die Regel einbehält, bleibt einbehalten.
refund-by-us = Es liegt an uns
refund-by-us-hint = Alles Bezahlte geht zurück.
refund-ask = Betrag zeigen
history = Verlauf
change-order-reserved = Karten wurden reserviert
change-order-changed = Die Bestellung wurde geändert
change-order-paying = Die Zahlung begann
change-order-paid = Sie wurde bezahlt
change-order-canceled = Sie wurde storniert
change-order-expired = Die Zeit war um
change-order-refunded = Erstattung bewilligt
change-ticket-issued = Karten wurden ausgestellt
change-ticket-voided = Eine Karte wurde ungültig
change-payment-started = Eine Zahlung begann
change-payment-changed = Ein Teil einer Zahlung kam an
change-payment-returning = Geld geht zurück
change-payment-paid = Eine Zahlung kam an
change-payment-failed = Eine Zahlung scheiterte
change-payment-canceled = Eine Zahlung wurde aufgegeben
change-payment-returned = Geld ging zurück
actor-system = der Server
actor-operator = der Betreiber
actor-customer = der Kunde

# At the door
console-sale = Verkauf an der Tür
sale-choose = Für welche Veranstaltung?
sale-empty = Zurzeit ist nichts im Verkauf
sale-customer = Name und E-Mail (freiwillig)
sale-customer-hint = Mit E-Mail werden die Karten auch gemailt.
sale-sell = Bezahlt: verkaufen
sale-show = Summe zeigen
sale-collect = Zu kassieren: { $name }
sale-collected = Kassiert: { $name }
sale-hint = Sie haben das Geld erhalten. Danach kommen die Karten zum Drucken oder Zeigen.

# What was done
done-received = Vermerkt: Das Geld ist da.
done-returned = Vermerkt: Das Geld ist zurückgegangen.
done-refund-asked = Das geht zurück. Erst wenn Sie es sagen, wird gezahlt.
done-refunded = Bewilligt: Das Geld soll zurück, die Karten sind wieder im Verkauf. Was überwiesen oder an der Abendkasse bezahlt wurde, zahlen Sie selbst zurück.
done-rejected = Der Antrag ist abgelehnt.
done-resent = Die Karten sind unterwegs.
done-sold = Verkauft.

# What is refused
denied-not-on-sale = Die Veranstaltung ist nicht im Verkauf.
denied-event-over = Die Veranstaltung ist vorbei oder abgesagt.
denied-order-empty = So viele Karten sind nicht mehr da.
denied-order-state = So wie die Bestellung ist, geht das nicht.
denied-refund-policy = Die Rückgaberegel erlaubt das nicht mehr.
denied-refund-open = Zu diesen Karten gibt es schon einen offenen Antrag.
denied-nothing-chosen = Wählen Sie zuerst Karten.
denied-tickets-gone = Die Karten sind an andere verkauft.

# Viele Aktionscodes, und Erstattungen
new-promocodes = Viele Aktionscodes
promocodes-typed = Eigene Codes
promocodes-typed-hint = Einer je Zeile, bis zu 500.
promocodes-count = Codes zum Ausdenken
promocodes-count-hint = Acht Buchstaben und Ziffern, die niemand errät.
promocodes-prefix = Jeder beginnt mit
promocodes-csv = Als Tabelle herunterladen (CSV)
console-refunds = Erstattungsanträge
refunds-hint = Über jeden wird auf der Seite seiner Bestellung entschieden.
refunds-all = Alle
refunds-empty = Niemand verlangt Geld zurück.
refunds-sum = Zu erstatten
promocodes-made = { $count ->
    [one] Ein Code ist angelegt; die folgenden wurden abgelehnt.
   *[other] { $count } Codes sind angelegt; die folgenden wurden abgelehnt.
}
