package io.penstock.exchange;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.limits.AddressLimits;
import io.penstock.limits.Key;
import io.penstock.time.Clock;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a client's address whether the client's request is accepted. This decision comes before the decision by the head of the
 * request ({@link Admission}). So a refused client does not learn which paths exist.
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
     * Returns the gate for these limits; null if the limits accept all requests.
     *
     * @param before the gate to replace, or null. The new gate uses the counts of this gate if the rate, the burst and the number of
     *     remembered addresses have not changed
     * @param forgotten an action that runs each time an address is removed because too many addresses are stored
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
     * Decides whether a request is accepted. If the rate of requests is limited, counts the accepted request ({@link RequestRates}).
     *
     * @param client the client's address; null if the client has no address, or if the proxy does not send the address. A client without an
     *     address belongs to no network, and its requests are not counted
     * @return the refusal; null if the request is accepted
     */
    public Admission.@Nullable Limited stop(@Nullable InetAddress client) {
        Key refusal = limits.ofServer().refusal(client);
        if (refusal != null) {
            return new Admission.Limited(refusal, Fields.EMPTY);
        }
        RequestRates counted = rates;
        long wait = counted == null || client == null ? 0 : counted.secondsToWait(client);
        return wait == 0
                ? null
                : new Admission.Limited(Key.REQUEST_RATE, new FieldList().add("Retry-After", Long.toString(wait)));
    }
}
