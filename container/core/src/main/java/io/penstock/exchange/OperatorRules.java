package io.penstock.exchange;

import io.penstock.rules.ErrorDocuments;
import io.penstock.rules.ResponseRules;
import org.jspecify.annotations.Nullable;

/**
 * The operator's rules that can be replaced while the server runs. All rules are replaced together.
 *
 * @param addresses the object that accepts or refuses requests by the addresses of clients; null if there are no rules for addresses
 * @param responses the rules for the fields of responses; null if there are no such rules
 * @param errors the pages for errors; null if there are none
 */
record OperatorRules(
        @Nullable AddressGate addresses,
        @Nullable ResponseRules responses,
        @Nullable ErrorDocuments errors) {

    /** Returns null if there are no rules at all. */
    static @Nullable OperatorRules of(
            @Nullable AddressGate addresses, @Nullable ResponseRules responses, @Nullable ErrorDocuments errors) {
        return addresses == null && responses == null && errors == null
                ? null
                : new OperatorRules(addresses, responses, errors);
    }
}
