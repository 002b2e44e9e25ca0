package io.penstock.standalone;

import java.io.PrintWriter;

/**
 * Makes the server in another process on this machine reload its configuration.
 *
 * <p>Thread: the thread that calls {@link #run}.
 *
 * @param process the process id
 */
record RemoteReload(String process) {

    /**
     * Reloads the configuration and prints the result.
     *
     * @return {@link ExitCode#RESTART_NEEDED} if a changed setting needs a restart; otherwise {@link ExitCode#OK}
     * @throws OperatorException if the process does not belong to the same user or has no server, or if the configuration is wrong; in this
     *     case, nothing was changed
     */
    ExitCode run(PrintWriter out) {
        boolean[] restart = new boolean[1];
        new RemoteProcess(process).ask(Reloading.TYPE, (management, bean) -> {
            String[] answer = (String[]) management.invoke(bean, Reloading.OPERATION, new Object[0], new String[0]);
            if (answer[0].equals(ReloadingMBean.REFUSED)) {
                throw new OperatorException(ExitCode.USAGE, "not reloaded; nothing has changed: " + answer[1], null);
            }
            out.println("Reloaded");
            for (int i = 1; i < answer.length; i++) {
                out.println("needs a restart: " + answer[i]);
                restart[0] = true;
            }
        });
        out.flush();
        return restart[0] ? ExitCode.RESTART_NEEDED : ExitCode.OK;
    }
}
