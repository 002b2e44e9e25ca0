package io.penstock.server;

import io.penstock.limits.Counter;
import io.penstock.metrics.Durations;
import io.penstock.metrics.Gauge;
import io.penstock.metrics.RequestMetrics;
import io.penstock.metrics.ServerFigures;
import io.penstock.metrics.Stage;
import io.penstock.telemetry.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.InvalidAttributeValueException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.ReflectionException;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The MBean of a server, for JMX consoles. Each counter and gauge is an attribute. A figure with labels is also an attribute. Its value is
 * a table with a row for each combination of labels. {@code adminUrl} is the URL of the flow board. The number of spool threads can be
 * set. The operation {@code dump} shows the current activity, {@code reopenLogs} opens the access log again by its name, and
 * {@code reloadCertificates} reads certificates and keys at once.
 *
 * <p>Thread: any thread of the console.
 */
public final class ServerBean implements DynamicMBean {
    private static final Logger LOG = ServerLog.logger();
    private static final String PREFIX = "penstock.";
    private static final String SPOOL_THREADS = attribute(Gauge.SPOOL_THREADS.id());
    private static final String ADMIN_URL = "adminUrl";
    private static final String DUMP = "dump";
    private static final String REOPEN_LOGS = "reopenLogs";
    private static final String RELOAD_CERTIFICATES = "reloadCertificates";
    private static final Set<String> OPERATIONS = Set.of(DUMP, REOPEN_LOGS, RELOAD_CERTIFICATES);

    /**
     * The limit for the number of spool threads. More threads do not write faster, and a typing error must not start thousands of threads.
     */
    private static final int MAX_SPOOL_THREADS = 1024;

    private final Server server;
    private final Transport transport;
    private final Map<String, Supplier<Object>> values = new LinkedHashMap<>();
    private final List<MBeanAttributeInfo> attributes = new ArrayList<>();

    ServerBean(Server server) {
        this.server = server;
        this.transport = server.transport();
        for (Gauge gauge : Gauge.values()) {
            String meaning = gauge.meaning() + " (" + gauge.unit() + ")";
            add(gauge.id(), meaning, () -> transport.gauges().value(gauge));
        }
        for (Counter counter : Counter.values()) {
            String meaning = counter.meaning() + " (since the start)";
            add(counter.id(), meaning, () -> server.counters().value(counter));
        }
        ServerFigures figures = server.figures();
        FigureNames names = new FigureNames();
        figures.requests(names);
        figures.closes(names);
        figures.bounds(names);
        figures.bulkheads(names);
        figures.mappings(names);
        names.all().forEach(figure -> add(figures, figure));
        RequestMetrics metrics = server.metrics();
        if (metrics != null) {
            for (Stage stage : Stage.values()) {
                addTimes(stage.id(), "while " + stage.meaning(), () -> metrics.stage(stage));
            }
            addTimes("request", "from first byte to last; refused requests are not counted", metrics::served);
        }
        values.put(ADMIN_URL, server::adminUrl);
        attributes.add(new MBeanAttributeInfo(
                ADMIN_URL,
                String.class.getName(),
                "URL of the flow board, at the admin port (empty without an admin port)",
                true,
                false,
                false));
    }

    private void add(String id, String meaning, LongSupplier value) {
        String name = attribute(id);
        values.put(name, value::getAsLong);
        attributes.add(
                new MBeanAttributeInfo(name, long.class.getName(), meaning, true, name.equals(SPOOL_THREADS), false));
    }

    private void add(ServerFigures figures, Figure figure) {
        String name = attribute(figure);
        String type = figure.labels().isEmpty() ? long.class.getName() : TabularData.class.getName();
        values.put(name, () -> FigureTable.of(figures, figure));
        attributes.add(new MBeanAttributeInfo(name, type, figure.meaning(), true, false, false));
    }

    /** The name of the attribute for a figure: {@code requestBodyBytes} for {@code penstock.request.body.bytes}. */
    public static String attribute(Figure figure) {
        String name = figure.name();
        return attribute(name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name);
    }

    private void addTimes(String id, String when, Supplier<Durations.Snapshot> times) {
        String unit = " (microseconds, since the start)";
        add(
                id + "-half-micros",
                "p50 of the time of a request " + when + unit,
                () -> micros(times.get().percentile(50)));
        add(
                id + "-ninety-nine-micros",
                "p99 of the time of a request " + when + unit,
                () -> micros(times.get().percentile(99)));
        add(
                id + "-longest-micros",
                "max of the time of a request " + when + unit,
                () -> micros(times.get().longest()));
    }

    private static long micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos);
    }

    /**
     * The name of the attribute for a gauge or counter: {@code spoolThreads} for {@code spool-threads}. Attribute names have no hyphens.
     */
    public static String attribute(String id) {
        StringBuilder name = new StringBuilder(id.length());
        boolean afterSeparator = false;
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean separator = c == '-' || c == '.' || c == '_';
            if (!separator) {
                name.append(afterSeparator ? Character.toUpperCase(c) : c);
            }
            afterSeparator = separator;
        }
        return name.toString();
    }

    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
        Supplier<Object> value = values.get(name);
        if (value == null) {
            throw new AttributeNotFoundException(name);
        }
        return value.get();
    }

    /** Returns the values of the known attributes. The interface requires that unknown attributes are ignored. */
    @Override
    public AttributeList getAttributes(String[] names) {
        AttributeList found = new AttributeList();
        for (String name : names) {
            Supplier<Object> value = values.get(name);
            if (value != null) {
                found.add(new Attribute(name, value.get()));
            }
        }
        return found;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException, InvalidAttributeValueException {
        if (!attribute.getName().equals(SPOOL_THREADS)) {
            throw new AttributeNotFoundException(attribute.getName() + " cannot be set");
        }
        if (!(attribute.getValue() instanceof Number number)
                || number.longValue() < 1
                || number.longValue() > MAX_SPOOL_THREADS) {
            throw new InvalidAttributeValueException(SPOOL_THREADS + " is a number from 1 to " + MAX_SPOOL_THREADS);
        }
        transport.spool().resize(number.intValue());
        LOG.info("{} is {} now", SPOOL_THREADS, number);
    }

    /** Sets the attributes that can be set. The interface requires that other attributes are ignored. */
    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        AttributeList set = new AttributeList();
        for (Attribute attribute : attributes.asList()) {
            try {
                setAttribute(attribute);
                set.add(attribute);
            } catch (JMException e) {
                LOG.debug("Not set", e);
            }
        }
        return set;
    }

    @Override
    public @Nullable Object invoke(String operation, Object @Nullable [] arguments, String @Nullable [] signature)
            throws ReflectionException {
        if (!OPERATIONS.contains(operation) || (arguments != null && arguments.length > 0)) {
            throw new ReflectionException(new NoSuchMethodException(operation));
        }
        if (operation.equals(DUMP)) {
            return server.dump();
        }
        if (operation.equals(RELOAD_CERTIFICATES)) {
            return server.reloadCertificates();
        }
        server.reopenLogs();
        return null;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanOperationInfo dump = new MBeanOperationInfo(
                DUMP,
                "what the server does at this moment: connections, workers and their stacks, levels, counters",
                new MBeanParameterInfo[0],
                String.class.getName(),
                MBeanOperationInfo.INFO);
        MBeanOperationInfo reopen = new MBeanOperationInfo(
                REOPEN_LOGS,
                "opens the access log again by its name, after the old file has been moved",
                new MBeanParameterInfo[0],
                void.class.getName(),
                MBeanOperationInfo.ACTION);
        MBeanOperationInfo reload = new MBeanOperationInfo(
                RELOAD_CERTIFICATES,
                "reads the files of certificates and keys at once, and uses them for new connections if they have"
                        + " changed",
                new MBeanParameterInfo[0],
                String.class.getName(),
                MBeanOperationInfo.ACTION);
        return new MBeanInfo(
                "io.penstock.Penstock",
                "A Penstock server",
                attributes.toArray(new MBeanAttributeInfo[0]),
                null,
                new MBeanOperationInfo[] {dump, reopen, reload},
                null);
    }
}
