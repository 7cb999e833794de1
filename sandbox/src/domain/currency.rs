//! Currencies and the number of decimal places their amounts have.

use std::fmt;

/// A currency of ISO 4217 that has minor units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency {
    code: [u8; 3],
    scale: u8,
}

/// Why a currency code is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a currency code of ISO 4217 that amounts can be given in")]
pub struct UnknownCurrency;

impl Currency {
    /// Looks a three-letter code up, upper case only.
    ///
    /// Codes without minor units (precious metals, test codes) are refused: no amount of them
    /// could be written.
    pub fn parse(code: &str) -> Result<Self, UnknownCurrency> {
        let known = iso_currency::Currency::from_code(code).ok_or(UnknownCurrency)?;
        let scale = known
            .exponent()
            .and_then(|places| u8::try_from(places).ok());
        let code = <[u8; 3]>::try_from(code.as_bytes()).map_err(|_| UnknownCurrency)?;
        Ok(Self {
            code,
            scale: scale.ok_or(UnknownCurrency)?,
        })
    }

    /// The three-letter code.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or_default()
    }

    /// The number of decimal places of an amount.
    pub const fn scale(&self) -> u8 {
        self.scale
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.code(), self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The currencies whose scale is not two, by hand from the standard: a check on the table
    /// that the dependency carries.
    const UNUSUAL: [(u8, &str); 3] = [
        (
            0,
            "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
        ),
        (3, "BHD IQD JOD KWD LYD OMR TND"),
        (4, "CLF UYW"),
    ];

    #[test]
    fn scales_follow_the_standard() {
        for (scale, codes) in UNUSUAL {
            for code in codes.split(' ') {
                assert_eq!(
                    Currency::parse(code).map(|c| c.scale()),
                    Ok(scale),
                    "{code}"
                );
            }
        }
        for code in ["USD", "EUR", "GBP", "UAH", "PLN", "CHF"] {
            assert_eq!(Currency::parse(code).map(|c| c.scale()), Ok(2), "{code}");
        }
    }

    #[test]
    fn what_is_no_currency_is_refused() {
        for code in ["", "usd", "US", "USDX", "XXX", "XAU", "ZZZ", "BTC", "€UR"] {
            assert_eq!(Currency::parse(code), Err(UnknownCurrency), "{code}");
        }
    }
}
