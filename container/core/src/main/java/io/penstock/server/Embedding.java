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
 * @param temporary the folder for the temporary files of applications, or null for the system's temporary directory
 * @param realm the realm of the program, or null for the configured realm
 * @param listeners the program's listeners for events of connections
 * @param stores the program's stores of sessions, or null if the program has none
 * @param environments the provider of the naming environments of applications
 * @param developed the sources of applications in development, by context path
 * @param memory the watch that notices a lack of memory in the process. All servers of a program share this object
 * @param identity the program's certificate for TLS, or null for the configured certificate
 * @param binding the time at which the server binds its addresses
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

    /** An embedding with only the memory watch. */
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
