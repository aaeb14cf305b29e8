# Что продано, в числах
console-agents = Агенты
event-sales = Продажи
sold-in-month = Продано за последние 30 дней
sold-nothing = За это время ничего не продано.
sold-nothing-yet = Пока ничего не продано.
sums-tickets = Билетов
sums-full = Заплатили покупатели
sums-own = Ваша доля
sums-agents = Комиссия агентов
sums-platform = Комиссия платформы
sums-retained = Удержано при возвратах
sums-money = Деньги
sums-sold = Продано
sums-held = Отложено
sums-free = Свободно
sums-owed = Причитается организатору и платформе
sums-earned = Заработал агент
sums-incomplete = Старые заказы ещё подсчитываются: суммы вырастут.
as-table = Таблицей
day = День (UTC)
selling-agent = Агент
sales-by-day = Билеты по дням
sales-by-set = По категориям
sales-by-seller = По продавцам
sets-blocked = { $count ->
    [one] { $count } заблокирован
    [few] { $count } заблокировано
   *[other] { $count } заблокировано
}
pace = Темп
pace-words = За { $days } дн. до начала продано { $own }. Другие ваши мероприятия к этому времени продавали в среднем { $others }.
pace-first = За 60 дней
pace-last = В сам день
pace-own = Это мероприятие
pace-others = Другие, в среднем
pace-before = Дней до начала
agents-of-yours = Кто продаёт ваши мероприятия
agents-empty = Агенты пока ничего у вас не продали.
agents-own = Что вы продали для других
agents-own-empty = Вы пока ничего не продали для других организаторов.
agents-own-hint = По мероприятиям и месяцам: сколько заплатили ваши покупатели, сколько из этого причитается организаторам и платформе и сколько остаётся вам.
