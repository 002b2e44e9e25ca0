package io.penstock.admin;

import static io.penstock.admin.Figures.count;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The application, or the method of an application, that at least half of the busy workers run at the moment.
 *
 * @param workers the number of workers that run the common application or method; all busy workers if none is common
 * @param application the path of the application that at least half of the workers run; empty if there is none
 * @param code the method of the application that at least half of the workers run; empty if there is none
 */
record CommonCode(long workers, String application, String code) {

    /** @param workers the busy workers. Only a part of them has stacks: at most {@link Watched#STACKS} */
    static CommonCode of(List<Watched.Worker> workers, List<Watched.Application> applications) {
        Map<String, Integer> codes = new LinkedHashMap<>();
        Map<String, Integer> served = new LinkedHashMap<>();
        for (Watched.Worker worker : workers) {
            add(codes, ApplicationFrame.of(worker.stack()));
            add(served, application(worker.job(), applications));
        }
        int seen = Math.min(workers.size(), Watched.STACKS);
        String code = most(codes, seen);
        String application = most(served, workers.size());
        if (!code.isEmpty()) {
            // The workers without stacks are expected to do what the others do.
            return new CommonCode((long) codes.getOrDefault(code, 0) * workers.size() / seen, application, code);
        }
        return new CommonCode(
                application.isEmpty() ? workers.size() : served.getOrDefault(application, 0), application, code);
    }

    private static void add(Map<String, Integer> counts, String name) {
        if (!name.isEmpty()) {
            counts.merge(name, 1, Integer::sum);
        }
    }

    /** The key whose count is at least half of {@code all}; empty if there is none. */
    private static String most(Map<String, Integer> counts, int all) {
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(most -> most.getValue() * 2 >= all)
                .map(Map.Entry::getKey)
                .orElse("");
    }

    /**
     * The application with the longest context path that is a prefix of the request's path; empty if there is none. {@code applications}
     * does not contain the applications of other hosts.
     */
    private static String application(String job, List<Watched.Application> applications) {
        String[] words = job.split(" ", 3); // the request's name, method and path
        if (words.length < 3) {
            return "";
        }
        String path = words[2];
        return applications.stream()
                .map(Watched.Application::path)
                .filter(context -> context.equals("/") || path.equals(context) || path.startsWith(context + "/"))
                .max(Comparator.comparingInt(String::length))
                .orElse("");
    }

    /** A sentence such as {@code The application /shop is slow in OrderDao.load.} Unknown parts are omitted. */
    String slow() {
        String name = application.isEmpty() || (application.equals("/") && !code.isEmpty()) ? "" : " " + application;
        return "The application" + name + " is slow" + (code.isEmpty() ? "" : " in " + code) + ".";
    }

    /**
     * A clause such as {@code 3 of 4 workers are in /shop, at OrderDao.load}. If the workers have nothing in common: {@code All 4 workers
     * are busy}.
     *
     * @param all the largest number of workers
     */
    String words(long all) {
        String who;
        if (workers < all) {
            who = count(workers) + " of " + count(all) + (workers == 1 ? " workers is" : " workers are");
        } else {
            who = all == 1 ? "The one worker is" : "All " + count(all) + " workers are";
        }
        String where = application.isEmpty() || (application.equals("/") && !code.isEmpty())
                ? code
                : application + (code.isEmpty() ? "" : ", at " + code);
        return who + (where.isEmpty() ? " busy" : " in " + where);
    }
}
