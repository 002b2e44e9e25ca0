package io.penstock.limits;

import io.penstock.address.Network;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clients that may send requests: to the server, or to one path. {@link Key#ALLOWED_ADDRESSES} explains the values.
 *
 * @param allowed the networks whose clients may send requests; empty for all networks
 * @param denied the networks whose clients may not, even if they are allowed
 */
public record AddressRules(List<Network> allowed, List<Network> denied) {

    public AddressRules {
        allowed = List.copyOf(allowed);
        denied = List.copyOf(denied);
    }

    /** Whether these rules accept all clients. */
    boolean isNone() {
        return allowed.isEmpty() && denied.isEmpty();
    }

    /**
     * The key by which a client is refused; null if its request is accepted.
     *
     * @param client the client's address; null if the client has no address, or if the proxy does not send it. Such a client belongs to no
     *     network
     */
    public @Nullable Key refusal(@Nullable InetAddress client) {
        if (client != null && Network.anyHas(denied, client)) {
            return Key.DENIED_ADDRESSES;
        }
        if (!allowed.isEmpty() && (client == null || !Network.anyHas(allowed, client))) {
            return Key.ALLOWED_ADDRESSES;
        }
        return null;
    }
}
