package io.penstock.server;

import io.penstock.develop.SourceTree;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.events.ConnectionEvents;
import io.penstock.memory.MemoryWatch;
import io.penstock.part.TlsIdentity;
import io.penstock.realm.Realm;
import io.penstock.store.SessionStores;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects that an embedding program gives to a server, in addition to its configuration and its applications.
 *
 * @param temporary where applications keep temporary files, or null for the system's temporary directory
 * @param realm the realm of the program's users, or null for the configured realm
 * @param listeners of the program
 * @param stores of sessions, or null for none
 * @param environments makes the naming environments of applications
 * @param developed sources of applications in development, by the places of their contexts
 * @param memory observes whether the process has memory; shared by all servers of a program
 * @param identity the program's certificate for TLS, or null for the configured certificate
 * @param binding when the addresses are bound
 */
public record Embedding(
        @Nullable Path temporary,
        @Nullable Realm realm,
        List<ConnectionEvents> listeners,
        @Nullable SessionStores stores,
        EnvironmentProvider environments,
        Map<String, SourceTree> developed,
        MemoryWatch memory,
        @Nullable TlsIdentity identity,
        Transport.Binding binding) {

    /** An embedding that has nothing but the memory watch. */
    static Embedding only(MemoryWatch memory) {
        return new Embedding(
                null,
                null,
                List.of(),
                null,
                EnvironmentProvider.ENTRIES_ONLY,
                Map.of(),
                memory,
                null,
                Transport.Binding.AT_ONCE);
    }

    public Embedding {
        listeners = List.copyOf(listeners);
        developed = Map.copyOf(developed);
    }
}
