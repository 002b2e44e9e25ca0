package io.penstock.exchange;

import io.penstock.rules.ResponseRules;
import org.jspecify.annotations.Nullable;

/**
 * The operator's rules that may be replaced while the server runs, all at once.
 *
 * @param addresses decides by the addresses of clients; null if addresses do not matter
 * @param responses fields of responses; null for none
 */
record OperatorRules(
        @Nullable AddressGate addresses, @Nullable ResponseRules responses) {

    /** Null if there are no rules, so that a request need not check them. */
    static @Nullable OperatorRules of(@Nullable AddressGate addresses, @Nullable ResponseRules responses) {
        return addresses == null && responses == null ? null : new OperatorRules(addresses, responses);
    }
}
