package io.penstock.standalone;

import io.penstock.Penstock;
import io.penstock.ReloadException;
import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationException;
import io.penstock.limits.ServerConfig;
import io.penstock.log.Loggers;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the configuration of a running server again: the configuration file, and the command line and environment of the start. If the
 * configuration is valid, all settings that can change at run time are applied. Otherwise, nothing is changed. The result is logged.
 *
 * <p>Thread: any. Reloads run one after the other.
 */
final class Reloading implements ReloadingMBean {
    /** The type in the name of the management bean. */
    static final String TYPE = "Reload";

    static final String OPERATION = "reload";

    private static final Logger LOG = LoggerFactory.getLogger(Reloading.class);

    private final Supplier<Configuration> sources;
    private final Penstock server;

    /**
     * @param sources reads the configuration; throws {@link OperatorException} or {@link ConfigurationException} if the configuration is
     *     wrong
     */
    Reloading(Supplier<Configuration> sources, Penstock server) {
        this.sources = sources;
        this.server = server;
    }

    /** Registers the management bean. If the registration fails, the server runs without the bean. */
    void register() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(
                            new StandardMBean(this, ReloadingMBean.class), new ObjectName("io.penstock:type=" + TYPE));
        } catch (JMException | RuntimeException e) {
            LOG.warn("Reload by JMX is not possible: {}", e.toString());
        }
    }

    @Override
    public synchronized String[] reload() {
        Configuration wanted;
        try {
            wanted = sources.get();
        } catch (OperatorException | ConfigurationException e) {
            String why = String.valueOf(e.getMessage());
            LOG.error("Not reloaded; nothing has changed: {}", why);
            return new String[] {REFUSED, why};
        }
        List<String> answer = new ArrayList<>(List.of(RELOADED));
        try {
            answer.addAll(server.reload(Serving.configured(wanted)));
        } catch (ReloadException e) { // the server has logged the exception
            return new String[] {REFUSED, String.valueOf(e.getMessage())};
        }
        Loggers.reload(ServerConfig.of(wanted).log());
        return answer.toArray(String[]::new);
    }
}
