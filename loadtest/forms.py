#!/usr/bin/env python3
"""Compares the installed forms of Penstock (archive, Debian package, image) with the distributions of Tomcat and Jetty.

usage: loadtest/forms.py RELEASE TOMCAT.tar.gz JETTY-HOME.tar.gz JAVA_HOME [--java-25 JAVA_HOME] [--rounds N] [--docs FOLDER]

RELEASE is a folder that release/stage has made. All servers serve its sample application at /. The servers run in turns, and each turn
starts a new process. --docs writes forms.csv and the section of forms.md to FOLDER. The script needs Linux, root, dpkg and unshare.
"""
import argparse
import datetime
import http.client
import json
import os
import platform
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

REQUESTS = 20_000
CONNECTIONS = 16
HEAP = '-Xmx256m'
SAMPLE = b'Penstock sample'
USER = 10001
COLUMNS = ['first response, ms', 'CPU until then, ms', 'RSS then, MB', 'PSS then, MB', 'RSS after load, MB',
           'PSS after load, MB', 'on disk, MB']


class Form:
    """An installed server: its command, its environment, and its folders on the disk."""

    def __init__(self, title, java, command, environment, folders, prefix=()):
        self.title, self.java, self.command = title, java, command
        self.environment, self.folders, self.prefix = environment, folders, list(prefix)
        self.rounds = []

    def disk(self):
        return sum(size(folder) for folder in self.folders) / 1e6


def size(path):
    if not os.path.isdir(path):
        return os.lstat(path).st_size
    return sum(os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(path) for name in names)


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: {done.returncode}\n{done.stdout}')
    return done.stdout


def unpack(archive, folder):
    os.makedirs(folder)
    run('tar', '-xzf', archive, '-C', folder)
    return os.path.join(folder, os.listdir(folder)[0])


def version(java_home):
    with open(os.path.join(java_home, 'release')) as release:
        return re.search(r'JAVA_VERSION="(.*)"', release.read())[1]


# ---- the forms

def archive(work, release, java_home, trained):
    java = version(java_home)
    home = unpack(find(release, r'penstock-.*\.tar\.gz'), f'{work}/archive-{java}-{trained}')
    os.remove(f'{home}/webapps/chat.war')
    environment = {'JAVA_HOME': java_home, 'JAVA_OPTS': HEAP, 'PENSTOCK_PORT': 'PORT'}
    command = [f'{home}/bin/penstock']
    title = 'Penstock, archive'
    if trained:
        run(*command, '--train', env={**os.environ, **environment, 'PENSTOCK_PORT': '0'})
        title += ', after `--train`'
    return Form(title, java, command, environment, [home])


def debian(work, release, java_home):
    """Uses the command of the systemd unit, and the folders of the unpacked package."""
    root = f'{work}/debian'
    run('dpkg-deb', '-x', find(release, r'penstock_.*\.deb'), root)
    with open(f'{root}/usr/lib/systemd/system/penstock.service') as unit:
        command = re.search(r'^ExecStart=(.*)$', unit.read(), re.M)[1].split()
    command = [root + word if word.startswith('/') else word for word in command]
    environment = {'JAVA_HOME': java_home, 'JAVA_OPTS': HEAP, 'PENSTOCK_PORT': 'PORT',
                   'PENSTOCK_WEBAPPS': f'{root}/usr/share/penstock/webapps'}
    os.remove(f'{root}/usr/share/penstock/webapps/chat.war')
    return Form('Penstock, Debian package', version(java_home), command, environment, [root])


def image(work, release, trained):
    """Unpacks the layers of the image, and uses its entry point and its user. The process runs in its own mount namespace, with /proc and /dev."""
    root = f'{work}/image-{trained}'
    os.makedirs(f'{root}-layout')
    run('tar', '-xf', find(release, r'penstock-.*-oci\.tar'), '-C', f'{root}-layout')
    read = lambda name: json.load(open(f'{root}-layout/{name}'))
    blob = lambda descriptor: 'blobs/' + descriptor['digest'].replace(':', '/')
    manifest = read(blob(read('index.json')['manifests'][0]))
    config = read(blob(manifest['config']))['config']
    os.makedirs(root)
    for layer in manifest['layers']:
        run('tar', '-xzf', f'{root}-layout/{blob(layer)}', '-C', root)
    os.remove(f'{root}/var/lib/penstock/webapps/chat.war')
    java = version(f'{root}/opt/java')
    environment = dict(variable.split('=', 1) for variable in config['Env'])
    title = 'Penstock, image'
    inside = lambda user, *command: ['unshare', '-m', 'sh', '-c',
                                     'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc"'
                                     f' && exec chroot --userspec={user} "$0" "$@"', root, *command]
    for folder in ('dev', 'proc'):
        os.makedirs(f'{root}/{folder}', exist_ok=True)
    if trained:
        # These commands are those of the RUN lines in docs/release.md.
        run(*inside('0:0', '/opt/java/bin/java', '-Xshare:dump'))
        run(*inside('0:0', '/opt/java/bin/java', HEAP, '-jar', '/opt/penstock/lib/penstock.jar', *config['Cmd'], '--train'),
            env={**os.environ, **environment})
        environment['JDK_JAVA_OPTIONS'] = '-XX:SharedArchiveFile=/opt/penstock/lib/penstock.jsa '
        title += ', derived with `--train`'
    environment['JDK_JAVA_OPTIONS'] = environment.get('JDK_JAVA_OPTIONS', '') + HEAP
    environment['PENSTOCK_PORT'] = 'PORT'
    prefix = inside(f'{USER}:{USER}')
    return Form(title, java, config['Entrypoint'] + config['Cmd'], environment, [f'{root}/{name}' for name in os.listdir(root)
                if name not in ('dev', 'proc')], prefix)


def tomcat(work, archive_file, war, java_home):
    java = version(java_home)
    home = unpack(archive_file, f'{work}/tomcat-{java}')
    for name in os.listdir(f'{home}/webapps'):
        shutil.rmtree(f'{home}/webapps/{name}')  # the image has no applications
    shutil.copy(war, f'{home}/webapps/ROOT.war')
    server = f'{home}/conf/server.xml'
    text = open(server).read().replace('port="8080"', 'port="${port}"').replace('port="8005"', 'port="-1"')
    open(server, 'w').write(text)
    name = re.search(r'tomcat-([0-9.]+)', archive_file)[1].strip('.')
    return Form(f'Tomcat {name}', java, [f'{home}/bin/catalina.sh', 'run'],
                {'JAVA_HOME': java_home, 'CATALINA_OPTS': f'{HEAP} -Dport=PORT'}, [home])


def jetty(work, archive_file, war, java_home):
    java = version(java_home)
    home = unpack(archive_file, f'{work}/jetty-{java}')
    base = f'{work}/jetty-{java}/base'
    os.makedirs(base)
    run(f'{java_home}/bin/java', '-jar', f'{home}/start.jar', '--create-startd',
        '--add-modules=server,http,ext,resources,ee11-deploy,ee11-annotations,ee11-jsp', cwd=base)
    os.makedirs(f'{base}/webapps', exist_ok=True)
    shutil.copy(war, f'{base}/webapps/ROOT.war')
    # start.jar prints the command of the server. Like the image, this form starts the server directly, without a second JVM.
    line = run(f'{java_home}/bin/java', '-jar', f'{home}/start.jar', '--dry-run', 'jetty.http.port=PORT', cwd=base)
    command = line.replace('\\\n', ' ').split()
    command.insert(1, HEAP)
    name = re.search(r'jetty-home-([0-9.]+)', archive_file)[1].strip('.')
    form = Form(f'Jetty {name}', java, command, {'JAVA_HOME': java_home}, [home, base])
    form.base = base
    return form


def find(release, pattern):
    names = [name for name in os.listdir(release) if re.fullmatch(pattern, name)]
    if len(names) != 1:
        sys.exit(f'{release} has {len(names)} files like {pattern}')
    return os.path.join(release, names[0])


# ---- a turn

def free_port():
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        return free.getsockname()[1]


def first_response(port, process, log):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
        try:
            connection.request('GET', '/')
            response = connection.getresponse()
            answered = time.monotonic()
            if response.status == 200 and SAMPLE in response.read():
                return answered
        except ConnectionError:
            pass
        finally:
            connection.close()
        time.sleep(0.001)
    sys.exit(f'no answer: {open(log).read()}')


def load(port):
    """Sends all requests over 16 connections, with one request at a time on each. A server can close a connection, as Tomcat does."""
    request = b'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
    connect = lambda: socket.create_connection(('127.0.0.1', port), 60)
    connections = [connect() for _ in range(CONNECTIONS)]
    for _ in range(REQUESTS // CONNECTIONS):
        for connection in connections:
            connection.sendall(request)
        for index, connection in enumerate(connections):
            if answer(connection):
                connection.close()
                connections[index] = connect()
    for connection in connections:
        connection.close()


def answer(connection):
    """Reads a response; returns whether the server closes the connection after it."""
    data = b''
    length = None
    while length is None or len(data) < length:
        more = connection.recv(65536)
        if not more:
            sys.exit(f'the connection has ended after {data[:200]}')
        data += more
        end = data.find(b'\r\n\r\n')
        if length is None and end >= 0:
            head = data[:end].lower()
            if b' 200' not in head.split(b'\r\n')[0]:
                sys.exit(f'answered {data[:200]}')
            length = end + 4 + int(re.search(rb'content-length: *(\d+)', head)[1])
    return b'connection: close' in head


def memory(pid):
    with open(f'/proc/{pid}/smaps_rollup') as file:
        text = file.read()
    return [int(re.search(rf'^{name}:\s+(\d+) kB', text, re.M)[1]) * 1024 / 1e6 for name in ('Rss', 'Pss')]


def cpu(pid):
    with open(f'/proc/{pid}/stat') as file:
        fields = file.read().rsplit(')', 1)[1].split()
    return sum(int(ticks) for ticks in fields[11:15]) * 1000 / os.sysconf('SC_CLK_TCK')


def turn(form, work):
    port = free_port()
    put = lambda word: word.replace('PORT', str(port))
    environment = {'PATH': os.environ['PATH'], 'LC_ALL': 'C.UTF-8', **{name: put(value) if value.endswith('PORT') else value
                   for name, value in form.environment.items()}}
    log = f'{work}/log'
    with open(log, 'w') as output:
        begun = time.monotonic()
        process = subprocess.Popen(form.prefix + [put(word) for word in form.command], env=environment, stdout=output,
                                   stderr=subprocess.STDOUT, cwd=getattr(form, 'base', work), start_new_session=True)
    try:
        answered = first_response(port, process, log)
        row = [(answered - begun) * 1000, cpu(process.pid), *memory(process.pid)]
        load(port)
        row += memory(process.pid) + [form.disk()]
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return row


# ---- the report

def cell(form, column):
    values = [row[column] for row in form.rounds]
    median = statistics.median(values)
    if column == len(COLUMNS) - 1:
        return f'{median:.0f}'
    return f'{median:.0f} ({min(values):.0f}–{max(values):.0f})'


def report(forms, rounds, arguments):
    lines = [['form', 'Java', *COLUMNS]] + [[form.title, form.java, *(cell(form, c) for c in range(len(COLUMNS)))] for form in forms]
    cpu_name = re.search(r'model name\s*: (.*)', open('/proc/cpuinfo').read())
    title = '## Start, memory and size of the installed forms'
    text = ('*First response* is the time from the launch of the process until the sample application has answered its first request, `/`; the client tries each'
            f' millisecond. RSS and PSS are those of the process, at this moment and after {REQUESTS:,} requests for the same page over {CONNECTIONS} connections.'
            f' Each round starts a new process. All have `{HEAP}` and otherwise their own defaults. *On disk* is the form after'
            ' its installation, without Java; the image has its Java. Each form serves only the sample\'s WAR, without the chat.')
    facts = [f'Rounds: {rounds}, in turns; each round begins with another form. Figures are medians, and in parentheses the lowest and highest.',
             '',
             f'- Machine: {cpu_name[1] if cpu_name else platform.machine()}, {os.cpu_count()} processors',
             f'- Kernel: {platform.system()} {platform.release()} {platform.machine()}',
             f'- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC',
             f'- Command: `{arguments}`']
    table = '| ' + ' | '.join(lines[0]) + ' |\n| ---' + ' | ---:' * (len(COLUMNS) + 1) + ' |\n'
    table += ''.join('| ' + ' | '.join(line) + ' |\n' for line in lines[1:])
    markdown = f'{title}\n\n{text}\n\n{table}\n' + '\n'.join(facts) + '\n'
    quoted = lambda word: f'"{word}"' if ',' in word else word
    csv = f'# {title}\n#\n# {text}\n#\n' + ''.join(','.join(map(quoted, line)) + '\n' for line in lines)
    csv += '#\n' + ''.join(f'# {fact}'.rstrip() + '\n' for fact in facts)
    return markdown, csv


def publish(folder, markdown, csv):
    with open(f'{folder}/forms.csv', 'w') as file:
        file.write(csv)
    page = f'{folder}/forms.md'
    begin, end = '<!-- made by loadtest/forms.py -->', '<!-- end of that -->'
    text = open(page).read() if os.path.exists(page) else f'# Forms\n\n{begin}\n{end}\n'
    before, rest = text.split(begin)
    with open(page, 'w') as file:
        file.write(f'{before}{begin}\n\n{markdown}\n{end}{rest.split(end)[1]}')


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('\n\n')[1])
    for name in ('release', 'tomcat', 'jetty', 'java'):
        parser.add_argument(name)
    parser.add_argument('--java-25')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--docs')
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix='penstock-forms-')
    os.chmod(work, 0o755)
    try:
        forms = []
        for java_home in filter(None, [options.java, options.java_25]):
            plain = archive(work, options.release, java_home, False)
            forms += [plain, archive(work, options.release, java_home, True)]
            if java_home == options.java:
                war = f'{plain.folders[0]}/webapps/ROOT.war'
                forms += [debian(work, options.release, java_home), image(work, options.release, False),
                          image(work, options.release, True)]
            forms += [tomcat(work, options.tomcat, war, java_home), jetty(work, options.jetty, war, java_home)]
        for form in forms:
            turn(form, work)  # not counted: it loads the files into memory
        for number in range(options.rounds):
            for form in forms[number:] + forms[:number]:
                form.rounds.append(turn(form, work))
                print(f'{number + 1}: {form.title}, Java {form.java}:', *(f'{value:.0f}' for value in form.rounds[-1]),
                      file=sys.stderr, flush=True)
        words = ['loadtest/forms.py', 'RELEASE', os.path.basename(options.tomcat), os.path.basename(options.jetty), 'jdk-17']
        words += ['--java-25', 'jdk-25'] if options.java_25 else []
        words += ['--rounds', str(options.rounds)] + (['--docs', 'docs/results'] if options.docs else [])
        markdown, csv = report(forms, options.rounds, ' '.join(words))
        print(markdown)
        if options.docs:
            publish(options.docs, markdown, csv)
    finally:
        shutil.rmtree(work)


main()
