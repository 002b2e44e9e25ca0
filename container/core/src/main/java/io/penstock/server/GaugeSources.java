package io.penstock.server;

import io.penstock.certificates.ServerCertificates;
import io.penstock.context.OpenWebSockets;
import io.penstock.deploy.ServerSessionStores;
import io.penstock.dispatch.ContextTable;
import io.penstock.files.SmallFiles;
import io.penstock.memory.ByteAccount;
import io.penstock.metrics.Gauge;
import io.penstock.metrics.Gauges;
import io.penstock.request.Compressors;
import io.penstock.session.SessionManager;
import io.penstock.time.Saturated;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the gauges that are not about the {@link Transport}, such as sessions and certificates.
 *
 * <p>Thread: any.
 */
public final class GaugeSources implements Gauges {
    private final ContextTable contexts;
    private final ServerSessionStores sessions;
    private final OpenWebSockets webSockets;
    private final SmallFiles smallFiles;
    private final Compressors compressors;
    private final ByteAccount parsed;
    private final Observers observers;
    private volatile IntSupplier followers = () -> 0;
    private volatile IntSupplier failedContexts = () -> 0;
    private volatile IntSupplier failedOrders = () -> 0;
    private volatile @Nullable ServerCertificates certificates;

    GaugeSources(
            ContextTable contexts,
            ServerSessionStores sessions,
            OpenWebSockets webSockets,
            SmallFiles smallFiles,
            Compressors compressors,
            ByteAccount parsed,
            Observers observers) {
        this.contexts = contexts;
        this.sessions = sessions;
        this.webSockets = webSockets;
        this.smallFiles = smallFiles;
        this.compressors = compressors;
        this.parsed = parsed;
        this.observers = observers;
    }

    @Override
    public long value(Gauge gauge) {
        return switch (gauge) {
            case WEBSOCKET_SESSIONS -> webSockets.count();
            case WEBSOCKET_QUEUED_BYTES -> webSockets.queuedBytes();
            case SESSIONS -> most(SessionManager::count);
            case LOGIN_SESSIONS -> most(SessionManager::waiting);
            case SESSION_STORE_THREADS -> sessions.storeThreads();
            case FILE_CACHE_BYTES -> smallFiles.kept();
            case COMPRESSORS -> compressors.inUse();
            case PARSED_BYTES -> parsed.used();
            case PARSED_BUDGET -> parsed.limit();
            case ACCESS_LOG_WAITING -> observers.accessLogWaiting();
            case ADMIN_LISTENERS -> followers.getAsInt();
            case CONTEXTS_FAILED -> failedContexts.getAsInt();
            case CERTIFICATE_EXPIRY_TIMESTAMP ->
                ofCertificates(found -> found.isPending() ? 0 : Saturated.millis(found.expires()));
            case CERTIFICATES_OUTDATED -> ofCertificates(found -> found.isOutdated() ? 1 : 0);
            case CERTIFICATE_PENDING -> ofCertificates(found -> found.isPending() ? 1 : 0);
            case OCSP_ANSWERS_MISSING -> ofCertificates(ServerCertificates::missingStaples);
            case ACME_FAILURES -> failedOrders.getAsInt();
            default -> throw new IllegalArgumentException("a gauge of the transport: " + gauge.id());
        };
    }

    private long most(ToLongFunction<SessionManager> figure) {
        return contexts.all().stream()
                .mapToLong(context -> figure.applyAsLong(context.sessions()))
                .max()
                .orElse(0);
    }

    private long ofCertificates(ToLongFunction<ServerCertificates> figure) {
        ServerCertificates found = certificates;
        return found == null ? 0 : figure.applyAsLong(found);
    }

    /** Sets the certificates of the server. Before this call, the gauges of certificates are zero. */
    void certificates(ServerCertificates source) {
        certificates = source;
    }

    /** Sets the source of the number of certificate orders that have failed since the last success. Before this call, the gauge is zero. */
    void failedOrders(IntSupplier source) {
        failedOrders = source;
    }

    /** Sets the source of the number of contexts whose last deployment has failed. Before this call, the gauge is zero. */
    void failedContexts(IntSupplier source) {
        failedContexts = source;
    }

    /**
     * Sets the source of the number of clients that watch the flow board, the live page of the admin port. Before this call, the gauge is
     * zero.
     */
    public void followers(IntSupplier source) {
        followers = source;
    }
}
