# %% environment
leak(os.environ.get('CANARY'))
# %% environment_of_others
leak([p for p in range(1, 70000) if (t := quietly(lambda: open(f'/proc/{p}/environ').read())) and 'CANARY' in t])
# %% canary_file
leak(quietly(lambda: open(SECRET).read()))
# %% canary_file_by_walking_up
leak(quietly(lambda: open('../' * 30 + SECRET.lstrip('/')).read()))
# %% home_folders
python = [sys.prefix, *sys.path]
def beside(p):
    for q in (os.path.join(p, n) for n in quietly(os.listdir, p) or []):
        if not any(s.startswith(q) for s in python): yield q
        elif q not in python: yield from beside(q)
leak([q for p in ('/home', '/root', '/srv', '/mnt') for q in beside(p)])
# %% the_course
leak([p for p in (ROOT + '/autograder', ROOT + '/solutions', ROOT + '/course_utils/answers') if os.path.exists(p)])
# %% password_file
leak(quietly(lambda: open('/etc/passwd').read()[:20]))
# %% other_processes
leak(os.path.exists(f'/proc/{PID}'))
# %% tcp
leak(quietly(lambda: socket.create_connection(('127.0.0.1', TCP), 1).send(b'LEAK')))
# %% unix_socket
s = socket.socket(socket.AF_UNIX)
leak(quietly(lambda: (s.connect(UNIX), s.send(b'LEAK'))))
# %% abstract_socket
s = socket.socket(socket.AF_UNIX)
leak(quietly(lambda: (s.connect('\0' + ABSTRACT), s.send(b'LEAK'))))
# %% udp
leak(quietly(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'LEAK', ('127.0.0.1', UDP))))
# %% writes_beside_the_grader
quietly(lambda: open(FOLDER + '/written', 'w').write('LEAK'))
# %% a_program
leak(quietly(lambda: subprocess.Popen(['/usr/bin/id'], stdout=subprocess.PIPE).communicate()[0]))
# %% its_own_name
leak([n for n in [socket.gethostname()] if n not in ('sandbox', 'localhost')])
# %% signals_to_a_process
leak(quietly(lambda: os.kill(PID, 0) is None))
# %% devices
leak([d for d in os.listdir('/dev') if d not in ('null', 'zero', 'full', 'random', 'urandom', 'shm')])
