package io.penstock.sample.sensor;

import io.penstock.sample.page.Numbers;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends a series of measurements as one block of floats. Receives such a block, and returns its statistics. */
@WebServlet("/sensor")
public class SensorServlet extends HttpServlet {
    private static final int MAX_FLOATS = 250_000;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int count = Numbers.parameter(request, "count", 2000, 2, MAX_FLOATS);
        int seed = Numbers.parameter(request, "seed", 1, 0, Integer.MAX_VALUE);
        ByteBuffer block = FloatBlock.of(new Signal(seed).series(count));
        response.setContentType("application/octet-stream");
        response.setContentLength(block.remaining());
        response.getOutputStream().write(block);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            float[] series = FloatBlock.read(request.getInputStream(), MAX_FLOATS);
            String json = Statistics.of(series).toJson();
            response.setContentType("application/json");
            response.getWriter().print(json);
        } catch (FloatBlock.TooLongException tooLong) {
            response.sendError(
                    HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, "At most " + MAX_FLOATS + " floats, please.");
        } catch (FloatBlock.IncompleteException incomplete) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, "The block ends in the middle of a float.");
        } catch (IllegalArgumentException notNumbers) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, notNumbers.getMessage());
        }
    }
}
