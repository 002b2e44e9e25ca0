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
 * Decides by a client's address whether its request may go on. It comes before the decision by the head ({@link Admission}): a client that is
 * kept out does not learn what there is.
 *
 * <p>Thread: reactors.
 */
public final class AddressGate {
    private final AddressLimits limits;
    private final @Nullable RequestRates rates;

    private AddressGate(AddressLimits limits, Clock clock, Runnable forgotten) {
        this.limits = limits;
        this.rates = limits.rate() == 0
                ? null
                : new RequestRates(limits.rate(), limits.burst(), limits.kept(), clock, forgotten);
    }

    /**
     * Null if all requests may go on.
     *
     * @param forgotten counts the addresses that are forgotten because there are too many
     */
    public static @Nullable AddressGate of(AddressLimits limits, Clock clock, Runnable forgotten) {
        return limits.stopRequests() ? new AddressGate(limits, clock, forgotten) : null;
    }

    /**
     * Counts a request.
     *
     * @param client null if it has no address, or if its proxy does not tell it: then it is in no network, and is not counted
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
