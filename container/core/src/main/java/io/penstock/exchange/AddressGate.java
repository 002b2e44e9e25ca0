package io.penstock.exchange;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.limits.AddressLimits;
import io.penstock.limits.Key;
import io.penstock.limits.Network;
import io.penstock.time.Clock;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a client's address whether its request may go on. It comes before the decision by the head ({@link Admission}), so a refused
 * client does not learn which paths exist.
 *
 * <p>Thread: reactors.
 */
public final class AddressGate {
    private final AddressLimits limits;
    private final @Nullable RequestRates rates;

    private AddressGate(AddressLimits limits, @Nullable RequestRates rates) {
        this.limits = limits;
        this.rates = rates;
    }

    /**
     * Null if all requests may go on.
     *
     * @param before the gate that is replaced; its counts stay if the rate stays; null if there is none
     * @param forgotten counts the addresses that are forgotten because there are too many
     */
    static @Nullable AddressGate after(
            @Nullable AddressGate before, AddressLimits limits, Clock clock, Runnable forgotten) {
        if (!limits.stopRequests()) {
            return null;
        }
        if (limits.rate() == 0) {
            return new AddressGate(limits, null);
        }
        RequestRates known = before != null && before.hasRateOf(limits) ? before.rates : null;
        return new AddressGate(
                limits,
                known == null
                        ? new RequestRates(limits.rate(), limits.burst(), limits.kept(), clock, forgotten)
                        : known);
    }

    private boolean hasRateOf(AddressLimits other) {
        return limits.rate() == other.rate() && limits.burst() == other.burst() && limits.kept() == other.kept();
    }

    /**
     * Counts a request.
     *
     * @param client null if the client has no address, or if its proxy does not tell it. Such a client is in no network, and is not counted
     * @return null if the request may go on
     */
    public Admission.@Nullable Limited stop(@Nullable InetAddress client) {
        if (client != null && Network.anyHas(limits.denied(), client)) {
            return new Admission.Limited(Key.DENIED_ADDRESSES, Fields.EMPTY);
        }
        if (!limits.allowed().isEmpty() && (client == null || !Network.anyHas(limits.allowed(), client))) {
            return new Admission.Limited(Key.ALLOWED_ADDRESSES, Fields.EMPTY);
        }
        RequestRates counted = rates;
        long wait = counted == null || client == null ? 0 : counted.secondsToWait(client);
        return wait == 0
                ? null
                : new Admission.Limited(Key.REQUEST_RATE, new FieldList().add("Retry-After", Long.toString(wait)));
    }
}
