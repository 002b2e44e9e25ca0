package io.penstock.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.metrics.MappingFigures;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The mappings that monitors see by name: those that have held many workers, or whose requests have waited or been refused. All others are
 * counted as one, so the number of rows is bounded whatever the number of applications and paths.
 *
 * <p>Thread: any.
 */
public final class NoticedMappings {
    /** The name of all mappings without a row of their own. */
    static final String OTHER = "other";

    /** The most rows with a name. Beyond it, the oldest mapping that neither runs nor waits gives up its row. */
    static final int MAX = 32;

    /** A mapping that holds this number of workers is noticed. Quick servlets seldom hold as many. */
    static final int MANY = 16;

    /** By the name of the mapping: an application that is deployed again has new mappings of the same names. */
    @GuardedBy("this")
    private final Map<String, Row> rows = new LinkedHashMap<>();

    /** The mappings without a row that ran or waited when monitors last asked. */
    private volatile List<Mapping> unnoticed = List.of();

    @GuardedBy("this")
    private long othersRefused;

    private static final class Row {
        Mapping mapping;
        long refused;

        Row(Mapping mapping) {
            this.mapping = mapping;
        }
    }

    /** A request of the mapping was answered 503 by the server. */
    public synchronized void refused(Mapping mapping) {
        Row row = row(mapping);
        if (row == null) {
            othersRefused++;
        } else {
            row.refused++;
        }
    }

    /** How many requests of the mapping were refused since it was noticed. */
    public synchronized long refusals(Mapping mapping) {
        Row row = rows.get(mapping.name());
        return row == null ? 0 : row.refused;
    }

    /**
     * The figures of the noticed mappings, and of all others as one. The figures stay current; those of the others with each call.
     *
     * @param present the mappings whose jobs run or wait now
     */
    public synchronized List<MappingFigures> figures(List<Mapping> present) {
        List<Mapping> rest = new ArrayList<>();
        for (Mapping mapping : present) {
            boolean noticed = rows.containsKey(mapping.name()) || mapping.running() >= MANY || mapping.waiting() > 0;
            if (!noticed || row(mapping) == null) {
                rest.add(mapping);
            }
        }
        unnoticed = rest;
        List<MappingFigures> figures = new ArrayList<>();
        for (String name : rows.keySet()) {
            figures.add(new MappingFigures(
                    name, () -> sum(name, Mapping::running), () -> sum(name, Mapping::waiting), () -> refused(name)));
        }
        figures.add(new MappingFigures(
                OTHER,
                () -> unnoticed.stream().mapToLong(Mapping::running).sum(),
                () -> unnoticed.stream().mapToLong(Mapping::waiting).sum(),
                this::othersRefused));
        return figures;
    }

    private synchronized long sum(String name, ToIntFunction<Mapping> figure) {
        Row row = rows.get(name);
        return row == null ? 0 : figure.applyAsInt(row.mapping);
    }

    private synchronized long refused(String name) {
        Row row = rows.get(name);
        return row == null ? 0 : row.refused;
    }

    private synchronized long othersRefused() {
        return othersRefused;
    }

    /** The row of the mapping; null if all rows are those of mappings that run or wait. */
    @GuardedBy("this")
    private @Nullable Row row(Mapping mapping) {
        Row row = rows.get(mapping.name());
        if (row != null) {
            row.mapping = mapping;
            return row;
        }
        if (rows.size() >= MAX && !removed()) {
            return null;
        }
        Row made = new Row(mapping);
        rows.put(mapping.name(), made);
        return made;
    }

    /** Removes the oldest row whose mapping neither runs nor waits. Returns false if there is none. */
    @GuardedBy("this")
    private boolean removed() {
        for (Iterator<Row> each = rows.values().iterator(); each.hasNext(); ) {
            Row row = each.next();
            if (row.mapping.running() == 0 && row.mapping.waiting() == 0) {
                othersRefused += row.refused;
                each.remove();
                return true;
            }
        }
        return false;
    }
}
