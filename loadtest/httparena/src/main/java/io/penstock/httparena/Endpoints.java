package io.penstock.httparena;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The servlets of the profiles. The container serves the static files. */
final class Endpoints {
    private Endpoints() {}

    /** A servlet whose parameters are integers. A request with other parameters is answered 400. */
    private abstract static class IntegerServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            try {
                super.service(request, response);
            } catch (NumberFormatException e) {
                response.sendError(HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
            }
        }

        static int integer(HttpServletRequest request, String name, int otherwise) {
            String value = request.getParameter(name);
            return value == null ? otherwise : Integer.parseInt(value);
        }

        static void text(HttpServletResponse response, String text) throws IOException {
            response.setContentType("text/plain");
            response.getOutputStream().print(text);
        }

        static void json(HttpServletResponse response, Object value) throws IOException {
            response.setContentType("application/json");
            Items.write(value, response.getOutputStream());
        }
    }

    /** The sum of the parameters {@code a} and {@code b}, and of the body of a POST. */
    static final class Sum extends IntegerServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            text(response, Long.toString(parameters(request)));
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            text(response, Long.toString(parameters(request) + Integer.parseInt(body.strip())));
        }

        private static long parameters(HttpServletRequest request) {
            return (long) integer(request, "a", 0) + integer(request, "b", 0);
        }
    }

    /** Says {@code ok}. */
    static final class Pipeline extends IntegerServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            text(response, "ok");
        }
    }

    /** Counts the bytes of the body as they arrive. */
    static final class Upload extends IntegerServlet {
        private static final long serialVersionUID = 1L;
        private static final int BUFFER = 16 << 10;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            InputStream body = request.getInputStream();
            byte[] buffer = new byte[BUFFER];
            long bytes = 0;
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                bytes += n;
            }
            text(response, Long.toString(bytes));
        }
    }

    /** {@code /json/COUNT?m=MULTIPLIER}: the first items with their totals. */
    static final class Json extends IntegerServlet {
        private static final long serialVersionUID = 1L;
        private final transient Items items;

        Json(Items items) {
            this.items = items;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String count = request.getPathInfo() == null ? "" : request.getPathInfo().substring(1);
            json(response, items.first(Integer.parseInt(count), integer(request, "m", 1)));
        }
    }

    /**
     * {@code /async-db?min=&max=&limit=}: the items whose prices are in a range. Without a database, and if the query fails, the answer has no
     * items, as the profile wants it; the log has the reason.
     */
    static final class Database extends IntegerServlet {
        private static final long serialVersionUID = 1L;
        private static final int MOST = 50;
        private static final String QUERY = """
                SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count
                FROM items WHERE price BETWEEN ? AND ? LIMIT ?""";

        private final transient Optional<DataSource> database;

        Database(Optional<DataSource> database) {
            this.database = database;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int min = integer(request, "min", 10);
            int max = integer(request, "max", 50);
            int limit = Math.max(1, Math.min(integer(request, "limit", MOST), MOST));
            List<Items.Row> rows = List.of();
            if (database.isPresent()) {
                try {
                    rows = query(database.get(), min, max, limit);
                } catch (SQLException e) {
                    log("the database does not answer", e);
                }
            }
            json(response, Items.Page.of(rows));
        }

        private static List<Items.Row> query(DataSource database, int min, int max, int limit) throws SQLException {
            try (Connection connection = database.getConnection();
                    PreparedStatement query = connection.prepareStatement(QUERY)) {
                query.setInt(1, min);
                query.setInt(2, max);
                query.setInt(3, limit);
                List<Items.Row> rows = new ArrayList<>(limit);
                try (ResultSet result = query.executeQuery()) {
                    while (result.next()) {
                        rows.add(Items.Row.of(result));
                    }
                }
                return rows;
            }
        }
    }
}
