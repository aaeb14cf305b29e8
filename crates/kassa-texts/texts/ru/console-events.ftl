# Мероприятия в консоли: промокоды, акции, билеты и места.

# Промокоды
promocodes-count-all = { $count ->
    [one] { $count } промокод
    [few] { $count } промокода
   *[other] { $count } промокодов
}
promocode-name = Для чего он
promocode-over = Закончился
promocode-used-up = Исчерпан
promocode-coming = Ещё не действует
promocode-valid = Действует
promocode-stays = Что он даёт
promocode-max = Билетов в заказе, не больше
promocode-reserved = Держат заказы сейчас
promocode-from = С какого времени
promocode-from-hint = Пусто — с момента создания.
promocode-until-hint = Пусто — бессрочно.
promocode-end = Завершить сейчас
promocode-end-hint = Новые заказы его больше не применят; у тех, где он есть, он останется. Чтобы вернуть его, укажите выше другой срок.
own-notes = Свои заметки
own-notes-hint = Покупатели этого не видят.
own-notes-text = Заметки
sets-all = Для всех билетов
and-more = Ещё { $name }

# Акции
promotions = Акции
promotion = Акция
promotions-hint = Код не нужен: чем больше билетов в заказе, тем больше скидка. Пока идёт акция, промокод добавить нельзя.
promotions-empty = Пока нет.
promotions-current = Действующие
promotions-all = И завершённые
new-promotion = Новая акция
promotion-runs = Идёт
promotion-coming = Ещё не началась
promotion-over = Закончилась
promotion-removed = Завершена вручную
promotion-was = Она завершена. Заказы, где она была, её сохраняют.
promotion-when = Когда
promotion-level-count = билетов от { $from }: −{ $value }
promotion-level-sum = от { $from }: −{ $value }
promotion-levels = Какая скидка
promotion-levels-hint = Действует самый высокий порог, которого достиг заказ, на каждый его билет. Каждый порог выше предыдущего.
promotion-by = Порог считается
promotion-by-count = По числу билетов
promotion-by-sum = По сумме их цен
promotion-kind = Скидка
promotion-level = Порог { $name }
promotion-from = Начиная с
promotion-start = Начало
promotion-start-hint = Пусто — сразу.
promotion-finish = Конец
promotion-finish-hint = Пусто — пока вы её не завершите.
promotion-sets-hint = Они считаются и дешевеют. Если не выбрано — все.
promotion-end = Завершить сейчас
promotion-end-hint = Новые заказы сразу останутся без скидки; у кого она есть, у тех останется. Завершённую акцию не вернуть: создайте новую.
since-time = с { $name }
until-time = до { $name }
times-of = Время: { $name }.
done-ended = Завершено.
denied-promotion-overlap = В это время для одной из этих категорий уже идёт другая акция.
denied-promotion-levels = Каждый порог должен быть выше предыдущего — целое число билетов или сумма, — а скидка — от 0 до 100 процентов или сумма.
denied-too-many = Это слишком много.

# Билеты
tickets-one-by-one = По одному
all-tickets = Все билеты
tickets-all = Все
tickets-search = Номер или штрихкод
tickets-empty = Здесь нет билетов
tickets-empty-hint = Билеты появляются вместе с категориями: сначала создайте категорию.
tickets-count = { $count ->
    [one] { $count } билет
    [few] { $count } билета
   *[other] { $count } билетов
}
choose-ticket = Выбрать
ticket-number = Номер
ticket-called = Билет { $name }
ticket-vacant = Свободен
ticket-reserved = Держит заказ
ticket-sold = Продан
ticket-blocked = Снят с продажи
ticket-seat = Место
ticket-order = Найти заказ
seat-or-set = Место или категория
block-do = Снять с продажи
free-do = Вернуть в продажу
block-hint = Снятое с продажи никто не купит, пока вы его не вернёте.
hold-back-hint = Снятые билеты никто не купит. Меньшее число вернёт остальные в продажу.
hold-back-count = Снять с продажи: { $name }
hold-back-do = Снять столько
denied-ticket-taken = Некоторые из них проданы или их держит заказ.

# Места
seats = Места и цены
seats-hint = Выберите ряды или места, затем снимите их с продажи или дайте им цену.
seats-map = Схема зала
seats-map-hint = У площадки есть залы с местами. Мероприятие, выбравшее зал, продаёт по нему.
seats-map-use = Продавать по этому залу
seats-empty = Мест с номерами нет
seats-empty-hint = Места берутся из схемы зала площадки; пока нет редактора, её рисуют программы.
seats-unpriced = Цены ещё нет
seats-counts = свободно { $free }, снято { $held }, занято { $taken }
seats-do = Выбранные места
seats-choose-hint = Выберите места открытых рядов или ряды целиком.
seats-give = Цена категории
seats-give-do = Дать эту цену
seats-price = Или своя цена
seats-price-do = Создать и дать им
seat-held = снято с продажи
whole-row = Весь ряд
paint-rows = Выбирать ряды целиком
paint-seats = Выбирать рисуя
paint-help = Рисуя, вы выбираете каждое место или ряд, над которым проводите, или снимаете выбор, если начали с выбранного. Без этого тот же жест двигает картину.
denied-set-busy = Места этой категории ещё переносятся. Повторите чуть позже.
denied-seat-taken = Некоторые из этих мест уже в другой категории.
denied-seats-not-on-map = Некоторых из этих мест нет на схеме зала.
denied-seats-not-chosen = Сначала выберите ряды или места.
denied-seats-without-price = Места без цены не продаются: сначала дайте им цену.
denied-set-not-chosen = Выберите, чью цену они получат.
denied-other-sector = Категория — в одной части зала. Дайте этим местам свою цену.
denied-seats-fixed = Проданные, удерживаемые и снятые места сохраняют цену. Снятые сначала верните в продажу.

# Площадки и удалённое
console-venues = Площадки
venues-hint = Где проходят ваши мероприятия. Пользоваться ими может любой организатор, менять — только вы.
venues-empty = Здесь нет площадок
venues-empty-hint = Площадку создаёт мероприятие, или создайте её здесь.
new-venue = Новая площадка
venue-desc = О площадке
venue-desc-hint = Покупатели видят это у мероприятия.
venue-latitude = Широта
venue-longitude = Долгота
venue-point-hint = В градусах, например 59,94 и 30,31: где её показывают карты.
venue-remove = Удалить площадку
venue-remove-hint = Новые мероприятия её не выберут, а черновикам с ней нужна другая. Пока там что-то продаётся, удалить её нельзя. Её можно вернуть.
venue-restore-hint = Больше никто эту площадку не видит. Верните её — и мероприятия снова смогут её выбрать.
also-removed = И удалённые
is-removed = Удалено
restore = Вернуть
events-removed = И удалённые
remove-event = Удалить мероприятие
remove-event-what = { $name } исчезнет из всех списков.
remove-event-hint = Видеть его будете только вы. Это можно, пока ни один билет не продан и не удерживается: мероприятие с продажами отменяют. Его можно вернуть.
event-restore-hint = Мероприятие удалено: больше его никто не видит, и ничего не продаётся.
done-removed = Удалено.
done-restored = Возвращено.
denied-venue-in-use = Там проходит мероприятие, которое продаётся или уже продавалось.
denied-venue-gone = Площадка мероприятия удалена: выберите другую.
wrong-degrees = Нужны градусы, например 59,94; оба числа или ни одного.

# Pictures
denied-picture-pixels = Картинка слишком велика: не больше 30 миллионов пикселей и 16 384 по стороне.
