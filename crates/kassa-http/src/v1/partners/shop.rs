//! The shop of a partner: where people buy, and how they pay.

use kassa_domain::Patch;
use kassa_domain::hex;
use kassa_domain::partner::{Color, PaymentProvider, Shop, ShopPatch};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{Flag, FromJson, Input, LineText, List, Problems, fields, parse_object};
use crate::openapi::schema;
use crate::wire::{enum_input, enum_names, wire_form};

wire_form! {
    /// The shop of a partner: where people buy, and how they pay.
    #[derive(Debug)]
    #[schema(as = Shop)]
    pub(super) struct ShopBody {
        /// Whether anybody can order there.
        open: bool,
        #[schema(schema_with = payments_schema)]
        payments: Vec<&'static str>,
        /// The colour of buttons and links, as `#rrggbb`; `null` for the usual one.
        accent: Option<String>,
    }
}

enum_names! {
    static PAYMENT_PROVIDERS: PaymentProvider {
        Test => "TEST",
        Transfer => "TRANSFER",
        Door => "DOOR",
    }
}

enum_input! {
    struct PaymentProviderInput(PaymentProvider) of PAYMENT_PROVIDERS;
}

fn payments_schema() -> RefOr<Schema> {
    let about = "How orders can be paid, in the order in which it is offered: `TRANSFER` to a bank account, at the `DOOR`, \
                 or not at all, as a `TEST`.";
    schema::list(PAYMENT_PROVIDERS.schema()).description(Some(about)).into()
}

impl From<&Shop> for ShopBody {
    fn from(shop: &Shop) -> Self {
        Self {
            open: shop.is_open,
            payments: shop.payments.iter().map(|provider| PAYMENT_PROVIDERS.name(*provider)).collect(),
            accent: shop.accent.map(|Color(rgb)| format!("#{}", hex::encode(&rgb))),
        }
    }
}

fields! {
    struct ShopFields {
        /// Whether anybody can order there; `false` until it is set.
        open: Input<Flag>,
        /// How orders can be paid, in the order in which it is offered, each once.
        payments: Input<List<PaymentProviderInput, 8>>,
        /// The colour of buttons and links, as `#rrggbb`; `null` for the usual one.
        accent: Input<LineText<7>>,
    }
}

/// `{open, payments, accent}` in a request.
#[derive(Debug)]
pub(super) struct ShopInput(pub(super) ShopPatch);

impl FromJson for ShopInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: ShopFields = parse_object(json)?;
        let mut problems = Problems::default();
        let payments = fields.payments.patch("payments", &mut problems).map(|list| {
            let mut providers: Vec<PaymentProvider> = Vec::new();
            for PaymentProviderInput(provider) in list.0 {
                if !providers.contains(&provider) {
                    providers.push(provider);
                }
            }
            providers
        });
        let accent = match fields.accent.patch("accent", &mut problems) {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(text) => match color(&text.0) {
                Some(color) => Patch::Set(color),
                None => {
                    problems.add("accent", "must be a colour as #rrggbb");
                    Patch::Keep
                }
            },
        };
        let is_open = fields.open.patch("open", &mut problems).map(|flag| flag.0);
        problems.into_result(Self(ShopPatch { is_open, payments, accent }))
    }

    fn json_schema() -> RefOr<Schema> {
        ShopFields::schema()
    }
}

fn color(text: &str) -> Option<Color> {
    hex::decode(text.strip_prefix('#')?)?.try_into().ok().map(Color)
}
