package io.penstock.httparena;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * The items of {@code dataset.json}, and the JSON of the responses. Each response is made anew from its objects.
 *
 * <p>Thread: any.
 */
final class Items {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final List<Item> all;

    private Items(List<Item> all) {
        this.all = all;
    }

    static Items read(Path file) {
        return new Items(List.of(MAPPER.readValue(file, Item[].class)));
    }

    /**
     * The first items, each with its total.
     *
     * @param count the number of items; at most all are taken
     * @param multiplier the factor of each total
     */
    Page<Priced> first(int count, int multiplier) {
        List<Item> taken = all.subList(0, Math.max(0, Math.min(count, all.size())));
        List<Priced> priced = new ArrayList<>(taken.size());
        for (Item item : taken) {
            priced.add(item.priced(multiplier));
        }
        return Page.of(priced);
    }

    static void write(Object value, OutputStream to) throws IOException {
        MAPPER.writeValue(to, value);
    }

    record Rating(int score, int count) {}

    record Item(
            int id,
            String name,
            String category,
            int price,
            int quantity,
            boolean active,
            List<String> tags,
            Rating rating) {
        Priced priced(int multiplier) {
            long total = (long) price * quantity * multiplier;
            return new Priced(id, name, category, price, quantity, active, tags, rating, total);
        }
    }

    record Priced(
            int id,
            String name,
            String category,
            int price,
            int quantity,
            boolean active,
            List<String> tags,
            Rating rating,
            long total) {}

    /** A row of the table {@code items}. The database checks and keeps {@code tags} as JSON, so they are written as they are. */
    record Row(
            int id,
            String name,
            String category,
            int price,
            int quantity,
            boolean active,
            @JsonRawValue String tags,
            Rating rating) {
        static Row of(ResultSet row) throws SQLException {
            return new Row(
                    row.getInt(1),
                    row.getString(2),
                    row.getString(3),
                    row.getInt(4),
                    row.getInt(5),
                    row.getBoolean(6),
                    row.getString(7),
                    new Rating(row.getInt(8), row.getInt(9)));
        }
    }

    record Page<T>(List<T> items, int count) {
        static <T> Page<T> of(List<T> items) {
            return new Page<>(items, items.size());
        }
    }
}
